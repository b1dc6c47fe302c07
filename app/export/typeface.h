#pragma once

#include <memory>
#include <string_view>

// As FreeType and cairo declare them.
struct FT_FaceRec_;
typedef struct _cairo cairo_t;
typedef struct _cairo_font_face cairo_font_face_t;

namespace dispersion {

enum class Weight { kRegular, kMedium };

// Roboto with DejaVu Sans behind it for what Roboto lacks (Greek in places, arrows, mathematics),
// both from inside the program: the same shapes at any scale, whatever fonts and settings the
// machine has.
class Typeface {
 public:
  Typeface();
  ~Typeface();
  Typeface(const Typeface&) = delete;
  Typeface& operator=(const Typeface&) = delete;

  // Of UTF-8 text at a size (height of the em), in the unit of the size.
  double width(std::string_view text, double size, Weight weight) const;

  // Adds the outlines to the context's path, with the baseline starting at (x, y).
  void append_path(cairo_t* context, std::string_view text, double x, double y, double size,
                   Weight weight) const;

  // Writes the same as text with its font, for files that can hold that.
  void show(cairo_t* context, std::string_view text, double x, double y, double size,
            Weight weight) const;

 private:
  struct Faces;
  cairo_font_face_t* cairo_font(FT_FaceRec_* face) const;

  std::shared_ptr<Faces> faces_;
};

}  // namespace dispersion

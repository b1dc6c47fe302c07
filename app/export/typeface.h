#pragma once

#include <memory>
#include <string_view>

// As FreeType and cairo declare them.
struct FT_FaceRec_;
using cairo_t = struct _cairo;                      // NOLINT(bugprone-reserved-identifier)
using cairo_font_face_t = struct _cairo_font_face;  // NOLINT(bugprone-reserved-identifier)

namespace dispersion {

enum class Weight { kRegular, kMedium };
enum class FontFamily { kSans, kSerif };

// Sans: Roboto, with DejaVu Sans behind it for what Roboto lacks (Greek in places, arrows,
// mathematics). Serif: Latin Modern, the letters of LaTeX, with its mathematics and DejaVu Serif
// behind it; its medium weight is bold. All from inside the program: the same shapes at any scale,
// whatever fonts and settings the machine has.
class Typeface {
 public:
  explicit Typeface(FontFamily family = FontFamily::kSans);
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

  FontFamily family() const { return family_; }

 private:
  struct Faces;
  cairo_font_face_t* cairo_font(FT_FaceRec_* face) const;

  FontFamily family_;
  std::shared_ptr<Faces> faces_;
};

}  // namespace dispersion

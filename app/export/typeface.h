#pragma once

#include <cairo.h>

#include <memory>
#include <string_view>

namespace dispersion {

enum class Weight { kRegular, kMedium };

// Roboto with DejaVu Sans behind it for what Roboto lacks (Greek in places, arrows, mathematics),
// both from inside the program. Letters are drawn as outlines: the same shapes at any scale,
// whatever fonts and settings the machine has.
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

 private:
  struct Faces;
  std::unique_ptr<Faces> faces_;
};

}  // namespace dispersion

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/picture.h"
#include "app/export/print_palette.h"

namespace dispersion {

// A way to style figures for a place.
struct Style {
  std::string_view name;
  std::string_view purpose;
  double text_points;  // of small text
  double width_mm;
  double wide_mm;          // for a figure of many parts or one that needs more; 0: none
  double height_mm;        // 0: as the figure wants it
  double pixels_per_inch;  // of a PNG
  DrawOptions draw;
};

// "default", "paper", "slide", "poster".
const std::vector<Style>& styles();

// Throws std::invalid_argument that says which there are.
const Style& style_named(std::string_view name);

// What a user may set otherwise.
struct SizeRequest {
  std::optional<double> width_mm;
  std::optional<double> width_pixels;  // of a PNG; not with width_mm
  std::optional<double> pixels_per_inch;
  std::optional<double> text_points;  // of small text
};

// How large the figure becomes, and its letters: where the form of the sheet is given, or its width
// is all that the style has, and nobody asked for their size, they are as small as they must be.
// Throws std::invalid_argument when the width asked for is too narrow for what must stand side by
// side, and says how wide it must be.
SheetSize sheet_for(const Figure& figure, const Style& style, const SizeRequest& request,
                    const DrawOptions& options);

}  // namespace dispersion

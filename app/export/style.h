#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/picture.h"
#include "core/figure/surface.h"

namespace dispersion {

// A named preset for the size and the look of figures in files.
struct Style {
  std::string_view name;
  std::string_view purpose;
  double text_points;  // size of small text
  double width_mm;
  double wide_mm;          // width for a figure of many parts or of a wide one; 0: none
  double height_mm;        // 0: the height that suits the figure
  double pixels_per_inch;  // of a PNG
  DrawOptions draw;
};

// The styles "default", "paper", "slide" and "poster", and those with the widths of venues and of
// LaTeX's classes.
const std::vector<Style>& styles();

// The style of this name. Throws std::invalid_argument with the names of all styles.
const Style& style_named(std::string_view name);

// What a user may ask for in place of the sizes of the style.
struct SizeRequest {
  std::optional<double> width_mm;
  std::optional<double> width_pixels;  // of a PNG; not together with width_mm
  std::optional<double> pixels_per_inch;
  std::optional<double> text_points;  // size of small text
};

// How a figure becomes a file: its style, the sizes that the user asked for, and the draw options.
struct RenderOptions {
  const Style* style = nullptr;
  SizeRequest size = {};
  DrawOptions draw = {};
};

// The size of the picture of a figure, and of the text in it. Text becomes smaller than the style
// has it if the figure does not fit otherwise: on a sheet of a fixed shape and, unless the user
// asked for a text size, on a sheet that is as wide as the style allows. Throws
// std::invalid_argument if the requested width is too narrow for the parts that stand side by side;
// the message says which width the figure needs.
SheetSize sheet_for(const Figure& figure, const Style& style, const SizeRequest& request,
                    const DrawOptions& options);

// The options of the command `figure` that ask for these render options, such as
// "--style paper --width 84mm". Options with their default value are left out. Numbers keep all
// their digits.
std::string style_arguments(const RenderOptions& render_options);

// The view of a surface from angles in degrees, as the option --view takes them.
SurfaceView view_of_degrees(double azimuth, double elevation);

// The view rounded to a hundredth of a degree, as style_arguments() writes it; the command that
// style_arguments() writes then gives exactly this view.
SurfaceView rounded_view(const SurfaceView& view);

}  // namespace dispersion

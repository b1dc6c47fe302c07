#include "app/export/style.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/export/svg_canvas.h"

namespace dispersion {
namespace {

constexpr std::size_t kCrowded = 3;  // parts that are better off on a wide sheet
constexpr double kFlattest = 0.55;   // plots may be flatter than they like; tables may not
constexpr int kMostShrinking = 60;   // to 16 % of the style's letters
constexpr double kRounding = 1e-9;   // mm

DrawOptions paper_options() {
  DrawOptions options;
  options.palette = kPrintPalette;
  options.with_title = false;  // the caption says it
  options.with_sentence = false;
  options.with_provenance = false;
  options.margin = 4;
  return options;
}

DrawOptions slide_options() {
  DrawOptions options;
  options.with_sentence = false;  // the speaker says it
  options.with_provenance = false;
  options.all_rows = false;  // nobody reads so many from the last row
  options.margin = 26;
  return options;
}

std::size_t parts(const Figure& figure) {
  return figure.grids.size() + figure.fields.size() + figure.plots.size();
}

void shrink_to_fit(const Canvas& canvas, const Figure& figure, const DrawOptions& options,
                   double least_units, SheetSize& size) {
  DrawOptions flat = options;
  flat.plot_height = kFlattest;
  const auto fits = [&] {
    return size.width() >= least_units &&
           natural_height(canvas, figure, size.width(), flat) <= size.height();
  };
  // Smaller letters always fit in the end: width and height grow alike, and lines become fewer.
  for (int step = 0; step < kMostShrinking && !fits(); ++step)
    size.text_points *= 0.97;
}

std::string millimetres(double length) {
  return svg_number(std::ceil(10 * length) / 10) + " mm";
}

}  // namespace

const std::vector<Style>& styles() {
  static const std::vector<Style> all = {
      {"default", "10 inches wide, with its sentence and where it came from", 9.75, 254, 0, 0, 200,
       DrawOptions()},
      {"paper", "one column of 84 mm, two (174 mm) where it needs them; 8 pt, no title", 8, 84, 174,
       0, 600, paper_options()},
      {"slide", "16:9, 1920 x 1080 pixels, large type", 16, 338.6666666666667, 0, 190.5, 144,
       slide_options()},
      {"poster", "half a metre wide, 24 pt, smaller where a table needs it", 24, 500, 0, 0, 150,
       DrawOptions()},
  };
  return all;
}

const Style& style_named(std::string_view name) {
  std::string names;
  for (const Style& style : styles()) {
    if (style.name == name) return style;
    if (!names.empty()) names += ", ";
    names += style.name;
  }
  throw std::invalid_argument("no style '" + std::string(name) + "'; there are " + names);
}

SheetSize sheet_for(const Figure& figure, const Style& style, const SizeRequest& request,
                    const DrawOptions& options) {
  SheetSize size;
  size.text_points = request.text_points.value_or(style.text_points);
  size.pixels_per_inch = request.pixels_per_inch.value_or(style.pixels_per_inch);
  const Typeface typeface(options.family);
  const SvgCanvas canvas(typeface);  // only to measure on
  size.width_mm = style.width_mm;
  if (request.width_pixels) size.width_mm = *request.width_pixels * 25.4 / size.pixels_per_inch;
  if (request.width_mm) size.width_mm = *request.width_mm;
  const double least_units = least_width(canvas, figure, options);
  const auto least_mm = [&] { return least_units * size.unit_mm(); };
  if (style.height_mm > 0) {
    // A sheet of a given form keeps it; what does not fit is written smaller.
    size.height_mm = style.height_mm * size.width_mm / style.width_mm;
    shrink_to_fit(canvas, figure, options, least_units, size);
    return size;
  }
  const double widest = std::max(style.width_mm, style.wide_mm);
  if (!request.width_mm && !request.width_pixels) {
    if (size.width_mm < least_mm() || parts(figure) >= kCrowded) size.width_mm = widest;
    // Letters that somebody asked for have their size, whatever room that takes.
    if (request.text_points) size.width_mm = std::max(size.width_mm, least_mm());
  }
  // A sheet as wide as the style has them is not left for a table: it is written smaller.
  if (!request.text_points && size.width_mm >= widest - kRounding && size.width_mm < least_mm())
    size.text_points *= size.width_mm / least_mm();
  if (size.width_mm < least_mm() - kRounding) {
    throw std::invalid_argument("a width of " + millimetres(size.width_mm) +
                                " is too narrow for this figure; in the style '" +
                                std::string(style.name) + "' it needs " + millimetres(least_mm()));
  }
  size.height_mm = natural_height(canvas, figure, size.width(), options) * size.unit_mm();
  return size;
}

}  // namespace dispersion

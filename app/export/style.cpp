#include "app/export/style.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "app/export/svg_canvas.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::size_t kCrowded = 3;  // with so many parts a figure gets a wide sheet
constexpr double kFlattest = 0.55;   // least share of the height that suits a plot
constexpr int kMostShrinking = 60;   // steps of 3 %, which end at 16 % of the style's text size
constexpr double kRounding = 1e-9;   // mm

DrawOptions paper_options() {
  DrawOptions options;
  options.palette = kPrintPalette;
  options.with_title = false;  // a paper has captions
  options.with_sentence = false;
  options.with_provenance = false;
  options.margin = 4;
  return options;
}

DrawOptions slide_options() {
  DrawOptions options;
  options.with_sentence = false;  // a speaker explains the figure
  options.with_provenance = false;
  options.all_rows = false;  // all rows would be too small to read from afar
  options.margin = 26;
  return options;
}

DrawOptions frame_options() {
  DrawOptions options = slide_options();
  options.with_title = false;  // the frame has one
  options.margin = 4;
  return options;
}

// Widths as LaTeX has them, in its points.
constexpr double kPoint = 25.4 / 72.27;
constexpr double kInch = 25.4;

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
  // Smaller text always fits in the end: the sheet grows in units of the text, and wrapped text
  // takes fewer lines.
  for (int step = 0; step < kMostShrinking && !fits(); ++step)
    size.text_points *= 0.97;
}

std::string millimetres(double length) {
  return svg_number(std::ceil(10 * length) / 10) + " mm";
}

double degrees(double radians) {
  return std::round(radians * 180 / std::numbers::pi * 100) / 100;
}

double azimuth_degrees(const SurfaceView& view) {
  return degrees(std::remainder(view.azimuth, 2 * std::numbers::pi));
}

std::string_view theme_name(const Palette& palette) {
  if (palette == kDarkPalette) return "dark";
  return palette == kPrintPalette ? "print" : "light";
}

void add_surface(std::string& words, const DrawOptions& options) {
  if (!options.surfaces) return;
  words += " --surface";
  if (options.view == SurfaceView()) return;
  words += " --view " + exact_text(azimuth_degrees(options.view)) + "," +
           exact_text(degrees(options.view.elevation));
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
      // \\textwidth and \\columnsep of the styles that the venues publish: icml2025.sty has 6.75 in
      // with 0.25 in between two columns, neurips_2024.sty and iclr2025_conference.sty 5.5 in.
      {"icml", "ICML: a column of 3.25 in, two of 6.75 in where it needs them; 8 pt, no title", 8,
       3.25 * kInch, 6.75 * kInch, 0, 600, paper_options()},
      {"neurips", "NeurIPS: the text width of 5.5 in; 8 pt, no title", 8, 5.5 * kInch, 0, 0, 600,
       paper_options()},
      {"iclr", "ICLR: the text width of 5.5 in; 8 pt, no title", 8, 5.5 * kInch, 0, 0, 600,
       paper_options()},
      // What the classes of LaTeX compute with these options: \\columnwidth and \\textwidth.
      {"twocolumn",
       "LaTeX's article, twocolumn: a column of 229.5 pt or the page's 469 pt; no title", 8,
       229.5 * kPoint, 469 * kPoint, 0, 600, paper_options()},
      {"a4", "LaTeX's article, a4paper: the text width of 345 pt; 8 pt, no title", 8, 345 * kPoint,
       0, 0, 600, paper_options()},
      {"beamer",
       "beamer, aspectratio=169: the text width of 140 mm, 70 mm high below a frame title", 8, 140,
       0, 70, 300, frame_options()},
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
  const SvgCanvas canvas(typeface);  // only measures text
  size.width_mm = style.width_mm;
  if (request.width_pixels) size.width_mm = *request.width_pixels * 25.4 / size.pixels_per_inch;
  if (request.width_mm) size.width_mm = *request.width_mm;
  const double least_units = least_width(canvas, figure, options);
  const auto least_mm = [&] { return least_units * size.unit_mm(); };
  if (style.height_mm > 0) {
    // The sheet keeps its shape; the text shrinks until the figure fits.
    size.height_mm = style.height_mm * size.width_mm / style.width_mm;
    shrink_to_fit(canvas, figure, options, least_units, size);
    return size;
  }
  const double widest = std::max(style.width_mm, style.wide_mm);
  if (!request.width_mm && !request.width_pixels) {
    if (size.width_mm < least_mm() || parts(figure) >= kCrowded) size.width_mm = widest;
    // Text of a size that the user asked for keeps it, so the sheet becomes wider.
    if (request.text_points) size.width_mm = std::max(size.width_mm, least_mm());
  }
  // A table that is wider than the widest sheet of the style is written smaller.
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

std::string style_arguments(const RenderOptions& render_options) {
  const auto& [style, size, options] = render_options;
  std::string words;
  const auto add = [&words](std::string_view option, std::string_view value) {
    words.append(" ").append(option).append(" ").append(value);
  };
  if (style->name != styles().front().name) add("--style", style->name);
  if (size.width_mm) add("--width", exact_text(*size.width_mm) + "mm");
  if (size.width_pixels) add("--width", exact_text(*size.width_pixels) + "px");
  if (size.pixels_per_inch) add("--dpi", exact_text(*size.pixels_per_inch));
  if (options.palette != style->draw.palette) add("--theme", theme_name(options.palette));
  if (size.text_points) add("--font-size", exact_text(*size.text_points));
  if (options.family == FontFamily::kSerif) add("--typeface", "serif");
  if (options.transparent) words += " --transparent";
  if (options.with_title != style->draw.with_title)
    words += options.with_title ? " --title" : " --no-title";
  add_surface(words, options);
  if (options.all_rows != style->draw.all_rows) add("--rows", options.all_rows ? "all" : "main");
  return words.empty() ? words : words.substr(1);
}

SurfaceView view_of_degrees(double azimuth, double elevation) {
  const auto radians = [](double angle) { return angle * std::numbers::pi / 180; };
  return {radians(azimuth), std::clamp(radians(elevation), 0.0, std::numbers::pi / 2)};
}

SurfaceView rounded_view(const SurfaceView& view) {
  if (view == SurfaceView()) return view;
  return view_of_degrees(azimuth_degrees(view), degrees(view.elevation));
}

}  // namespace dispersion

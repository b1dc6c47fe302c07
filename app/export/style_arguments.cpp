#include "app/export/style_arguments.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/io/text.h"

namespace dispersion {
namespace {

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

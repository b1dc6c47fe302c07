#include "app/export/look_words.h"

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

void add_surface(std::string& words, const Look& look) {
  if (!look.surfaces) return;
  words += " --surface";
  if (look.view == SurfaceView()) return;
  words += " --view " + exact_text(azimuth_degrees(look.view)) + "," +
           exact_text(degrees(look.view.elevation));
}

}  // namespace

std::string look_words(const FigureDress& dress) {
  const auto& [style, size, look] = dress;
  std::string words;
  const auto add = [&words](std::string_view option, std::string_view value) {
    words.append(" ").append(option).append(" ").append(value);
  };
  if (style->name != styles().front().name) add("--style", style->name);
  if (size.width_mm) add("--width", exact_text(*size.width_mm) + "mm");
  if (size.width_pixels) add("--width", exact_text(*size.width_pixels) + "px");
  if (size.pixels_per_inch) add("--dpi", exact_text(*size.pixels_per_inch));
  if (look.palette != style->look.palette) add("--theme", theme_name(look.palette));
  if (size.text_points) add("--font-size", exact_text(*size.text_points));
  if (look.family == FontFamily::kSerif) add("--typeface", "serif");
  if (look.transparent) words += " --transparent";
  if (look.with_title != style->look.with_title)
    words += look.with_title ? " --title" : " --no-title";
  add_surface(words, look);
  if (look.all_rows != style->look.all_rows) add("--rows", look.all_rows ? "all" : "main");
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

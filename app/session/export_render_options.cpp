#include "app/session/export_render_options.h"

#include "app/export/style_arguments.h"

namespace dispersion {
namespace {

const Palette& palette_of(PrintTheme theme) {
  switch (theme) {
    case PrintTheme::kDark:
      return kDarkPalette;
    case PrintTheme::kPrint:
      return kPrintPalette;
    case PrintTheme::kLight:
      break;
  }
  return kLightPalette;
}

}  // namespace

RenderOptions export_render_options(const ExportSettings& settings, const FigureSnapshot& shown) {
  const Style& style = style_named(settings.style);
  RenderOptions render_options = {&style, {}, style.draw};
  if (settings.width) {
    (settings.unit == LengthUnit::kPixels ? render_options.size.width_pixels
                                          : render_options.size.width_mm) = settings.width;
  }
  render_options.size.pixels_per_inch = settings.pixels_per_inch;
  render_options.size.text_points = settings.text_points;
  render_options.draw.palette = palette_of(settings.theme);
  render_options.draw.family = settings.family;
  render_options.draw.transparent = settings.transparent;
  render_options.draw.with_title = settings.title;
  render_options.draw.all_rows = settings.all_rows;
  render_options.draw.surfaces = shown.surfaces;
  render_options.draw.view = rounded_view(shown.view);
  return render_options;
}

}  // namespace dispersion

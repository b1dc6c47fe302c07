#include "app/desk/export_dress.h"

#include "app/export/look_words.h"

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

FigureDress export_dress(const ExportSettings& settings, const ShownFigure& shown) {
  const Style& style = style_named(settings.style);
  FigureDress dress = {&style, {}, style.look};
  if (settings.width) {
    (settings.unit == LengthUnit::kPixels ? dress.size.width_pixels : dress.size.width_mm) =
        settings.width;
  }
  dress.size.pixels_per_inch = settings.pixels_per_inch;
  dress.size.text_points = settings.text_points;
  dress.look.palette = palette_of(settings.theme);
  dress.look.family = settings.family;
  dress.look.transparent = settings.transparent;
  dress.look.with_title = settings.title;
  dress.look.all_rows = settings.all_rows;
  dress.look.surfaces = shown.surfaces;
  dress.look.view = rounded_view(shown.view);
  return dress;
}

}  // namespace dispersion

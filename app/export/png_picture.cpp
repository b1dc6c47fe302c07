#include <cmath>
#include <stdexcept>
#include <string>

#include "app/export/cairo_canvas.h"
#include "app/export/picture.h"
#include "app/export/picture_parts.h"
#include "app/export/png_image.h"

namespace dispersion {
namespace {

constexpr double kMostPixels = 32767;  // cairo's limit for an image

int pixels(double millimetres, double pixels_per_inch) {
  const double count = std::round(millimetres / 25.4 * pixels_per_inch);
  if (!(count >= 1) || count > kMostPixels) {
    throw std::invalid_argument("a picture needs 1 to 32767 pixels in width and in height");
  }
  return static_cast<int>(count);
}

}  // namespace

std::string png_bytes(const Figure& figure, const SheetSize& size, const Look& look) {
  require_size(size);
  const int width = pixels(size.width_mm, size.pixels_per_inch);
  const int height = pixels(size.height_mm, size.pixels_per_inch);
  // RGB24 has no alpha: the picture is opaque everywhere.
  const CairoSurface surface(cairo_image_surface_create(
      look.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  const double scale = size.pixels_per_unit();
  cairo_scale(context.get(), scale, scale);
  const Typeface typeface;
  CairoCanvas canvas(context.get(), scale, typeface);
  // To the edge of the last pixel.
  paint_figure(canvas, figure, {0, 0, width / scale, height / scale}, look);
  require_success(cairo_status(context.get()));
  return with_png_notes(png_of_surface(surface.get()), size.pixels_per_inch,
                        {{"Title", figure.title},
                         {"Description", figure.sentence},
                         {"Provenance", provenance_json(figure.provenance)}});
}

}  // namespace dispersion

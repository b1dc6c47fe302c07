#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/cairo_canvas.h"
#include "app/export/carried_figure.h"
#include "app/export/picture.h"
#include "app/export/picture_parts.h"
#include "app/export/png_image.h"

namespace dispersion {
namespace {

constexpr double kMostPixels = 32767;  // cairo's limit for an image

int pixels(double millimetres, double pixels_per_inch) {
  const double count = std::round(millimetres / 25.4 * pixels_per_inch);
  if (!(count >= 1) || count > kMostPixels) {
    throw std::invalid_argument(
        "a picture needs 1 to 32767 pixels in width and in height; a smaller width, fewer pixels "
        "per "
        "inch or smaller letters make less of them");
  }
  return static_cast<int>(count);
}

CairoSurface painted(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  require_size(size);
  const int width = pixels(size.width_mm, size.pixels_per_inch);
  const int height = pixels(size.height_mm, size.pixels_per_inch);
  // RGB24 has no alpha: the picture is opaque everywhere.
  CairoSurface surface(cairo_image_surface_create(
      options.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  const double scale = size.pixels_per_unit();
  cairo_scale(context.get(), scale, scale);
  const Typeface typeface(options.family);
  CairoCanvas canvas(context.get(), scale, typeface);
  // To the edge of the last pixel.
  paint_figure(canvas, figure, {0, 0, width / scale, height / scale}, options);
  require_success(cairo_status(context.get()));
  return surface;
}

// From cairo's premultiplied 0xAARRGGBB; `opaque`: its first byte means nothing.
std::uint32_t straight(std::uint32_t argb, bool opaque) {
  const std::uint32_t alpha = opaque ? 255 : argb >> 24;
  const auto channel = [&](int shift) {
    const std::uint32_t value = argb >> shift & 255;
    return alpha == 0 ? 0 : std::min<std::uint32_t>(255, (value * 255 + alpha / 2) / alpha);
  };
  return channel(16) | channel(8) << 8 | channel(0) << 16 | alpha << 24;
}

}  // namespace

Pixels picture_pixels(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  const CairoSurface surface = painted(figure, size, options);
  cairo_surface_flush(surface.get());
  Pixels result;
  result.width = cairo_image_surface_get_width(surface.get());
  result.height = cairo_image_surface_get_height(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  result.rgba.reserve(static_cast<std::size_t>(result.width) *
                      static_cast<std::size_t>(result.height));
  for (int y = 0; y < result.height; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
    for (int x = 0; x < result.width; ++x)
      result.rgba.push_back(straight(row[x], !options.transparent));
  }
  return result;
}

std::string png_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  const CairoSurface surface = painted(figure, size, options);
  std::vector<PngText> texts = {{"Title", figure.title},
                                {"Description", figure.sentence},
                                {"Provenance", provenance_json(figure.provenance)}};
  const std::string carried = carried_figure(figure);
  if (!carried.empty()) texts.push_back({"Figure", carried, true});
  return with_png_notes(png_of_surface(surface.get()), size.pixels_per_inch, texts);
}

}  // namespace dispersion

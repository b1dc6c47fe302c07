#include "app/export/png.h"

#include <cairo.h>

#include <cmath>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "app/export/figure_painter.h"
#include "core/io/atomic_file.h"

namespace dispersion {
namespace {

constexpr double kMostPixels = 32767;  // cairo's limit for an image

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceDeleter>;
using Context = std::unique_ptr<cairo_t, ContextDeleter>;

int pixels(int units, double scale) {
  const double count = std::round(units * scale);
  if (!(count >= 1) || count > kMostPixels) {
    throw std::invalid_argument("a picture needs 1 to 32767 pixels in width and in height");
  }
  return static_cast<int>(count);
}

void require(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("drawing failed: ") + cairo_status_to_string(status));
  }
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::string png_bytes(const Figure& figure, PngSize size, const Look& look) {
  // RGB24 has no alpha: the picture is opaque everywhere.
  const Surface surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, pixels(size.width, size.scale), pixels(size.height, size.scale)));
  require(cairo_surface_status(surface.get()));
  const Context context(cairo_create(surface.get()));
  cairo_scale(context.get(), size.scale, size.scale);
  const Typeface typeface;
  Canvas canvas(context.get(), size.scale, typeface);
  paint_figure(canvas, figure,
               {0, 0, static_cast<double>(size.width), static_cast<double>(size.height)}, look);
  require(cairo_status(context.get()));
  std::string bytes;
  require(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

void write_png(const std::filesystem::path& path, const Figure& figure, PngSize size) {
  write_file_atomically(path, png_bytes(figure, size, Look()));
}

}  // namespace dispersion

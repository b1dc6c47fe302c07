#include "app/export/text_mask.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "app/export/cairo_canvas.h"

namespace dispersion {

TextMask text_mask(const Typeface& typeface, std::string_view text, double size, double baseline,
                   int height) {
  TextMask mask;
  mask.width = static_cast<int>(std::ceil(typeface.width(text, size, Weight::kRegular)));
  mask.height = height;
  const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, mask.width, mask.height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  const CairoContext context(cairo_create(surface.get()));
  typeface.append_path(context.get(), text, 0, baseline, size, Weight::kRegular);
  cairo_fill(context.get());
  require_success(cairo_status(context.get()));
  cairo_surface_flush(surface.get());
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface.get());
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  for (std::ptrdiff_t row = 0; row < mask.height; ++row)
    mask.coverage.insert(mask.coverage.end(), data + row * stride,
                         data + row * stride + mask.width);
  return mask;
}

}  // namespace dispersion

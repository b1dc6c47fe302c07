#include "app/export/png_image.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "app/export/cairo_canvas.h"
#include "app/export/cairo_handles.h"
#include "app/export/compressed.h"
#include "app/export/png_chunk.h"

namespace dispersion {
namespace {

constexpr std::size_t kHeaderEnd = 33;  // signature and IHDR
constexpr double kMetresPerInch = 0.0254;

// After the keyword: whether it is compressed, by which method, no language, keyword not
// translated.
std::string text_chunk(const PngText& text) {
  std::string body = "iTXt" + text.keyword + '\0';
  body += text.compressed ? '\1' : '\0';
  body.append(3, '\0');
  body += text.compressed ? compressed(text.text) : text.text;
  return png_chunk(body);
}

}  // namespace

std::string png_of_surface(cairo_surface_t* surface) {
  std::string bytes;
  require_success(cairo_surface_write_to_png_stream(surface, append_bytes, &bytes));
  return bytes;
}

std::string png_of_pixels(int rows, int columns, std::span<const Colour> pixels) {
  const CairoSurface surface = rgb_surface(rows, columns, pixels);
  return png_of_surface(surface.get());
}

std::string with_png_notes(std::string_view png, double pixels_per_inch,
                           const std::vector<PngText>& texts) {
  std::string result(png.substr(0, kHeaderEnd));
  const auto per_metre = static_cast<std::uint32_t>(std::lround(pixels_per_inch / kMetresPerInch));
  result += png_chunk("pHYs" + big_endian(per_metre) + big_endian(per_metre) + '\1');
  for (const PngText& text : texts)
    result += text_chunk(text);
  return result.append(png.substr(kHeaderEnd));
}

}  // namespace dispersion

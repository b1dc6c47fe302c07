#include "app/export/png_image.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "app/export/cairo_canvas.h"
#include "app/export/cairo_handles.h"

namespace dispersion {
namespace {

constexpr std::size_t kHeaderEnd = 33;  // signature and IHDR
constexpr double kMetresPerInch = 0.0254;

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

// As in the PNG specification, appendix D.
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFu;
  for (const char byte : bytes) {
    value ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320u : 0);
  }
  return ~value;
}

std::string chunk(const std::string& type_and_data) {
  return big_endian(static_cast<std::uint32_t>(type_and_data.size() - 4)) + type_and_data +
         big_endian(crc(type_and_data));
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
                           const std::vector<std::pair<std::string, std::string>>& texts) {
  std::string result(png.substr(0, kHeaderEnd));
  const auto per_metre = static_cast<std::uint32_t>(std::lround(pixels_per_inch / kMetresPerInch));
  result += chunk("pHYs" + big_endian(per_metre) + big_endian(per_metre) + '\1');
  for (const auto& [keyword, text] : texts) {
    // After the keyword: not compressed, of no method, no language, keyword not translated.
    result += chunk("iTXt" + keyword + std::string(5, '\0') + text);
  }
  return result.append(png.substr(kHeaderEnd));
}

}  // namespace dispersion

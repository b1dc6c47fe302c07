#include "app/export/png.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "app/export/cairo_canvas.h"
#include "app/export/encodings.h"
#include "app/export/figure_data.h"
#include "app/export/picture.h"
#include "app/export/provenance.h"

namespace dispersion {
namespace {

constexpr double kMostPixels = 32767;     // the limit of cairo for images
constexpr std::size_t kHeaderEnd = 33;    // bytes of the signature and the chunk IHDR
constexpr std::size_t kAroundChunk = 12;  // bytes of length, type and checksum of a chunk
constexpr double kMetresPerInch = 0.0254;

// The checksum of a chunk (PNG specification, appendix D).
std::uint32_t checksum(std::string_view type_and_data) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(type_and_data.data()), type_and_data.size()));
}

// A chunk with a text. The bytes after the keyword are whether the text is compressed, the method,
// an empty language and an empty translated keyword.
std::string text_chunk(const PngText& text) {
  std::string body = "iTXt" + text.keyword + '\0';
  body += text.compressed ? '\1' : '\0';
  body.append(3, '\0');
  body += text.compressed ? compressed(text.text) : text.text;
  return png_chunk(body);
}

// The text with this keyword; nothing if there is none or if its chunk is damaged. Throws
// LimitError if it has more than `most` bytes.
std::optional<std::string> png_text(std::string_view png, std::string_view keyword,
                                    std::size_t most) {
  auto data = png_chunk_after(png, "iTXt" + std::string(keyword) + '\0');
  if (!data || data->size() < 2 || static_cast<unsigned char>(data->front()) > 1 ||
      (*data)[1] != '\0')
    return std::nullopt;
  const bool packed = data->front() == '\1';
  data->remove_prefix(2);
  for (int part = 0; part < 2; ++part) {  // skips the language and the translated keyword
    const std::size_t end = data->find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    data->remove_prefix(end + 1);
  }
  if (packed) return uncompressed(*data, most);
  if (data->size() > most) refuse_longer_than(most);
  return std::string(*data);
}

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
  // RGB24 has no alpha, so the picture is opaque everywhere.
  CairoSurface surface(cairo_image_surface_create(
      options.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height));
  require_success(cairo_surface_status(surface.get()));
  const CairoContext context(cairo_create(surface.get()));
  const double scale = size.pixels_per_unit();
  cairo_scale(context.get(), scale, scale);
  const Typeface typeface(options.family);
  CairoCanvas canvas(context.get(), scale, typeface);
  // The figure covers whole pixels, which may be slightly more than the size asks for.
  paint_figure(canvas, figure, {0, 0, width / scale, height / scale}, options);
  require_success(cairo_status(context.get()));
  return surface;
}

// A pixel of Pixels from a pixel of cairo, which is premultiplied 0xAARRGGBB. `opaque`: the alpha
// of cairo is undefined and counts as 255.
std::uint32_t unpremultiplied(std::uint32_t argb, bool opaque) {
  const std::uint32_t alpha = opaque ? 255 : argb >> 24;
  const auto channel = [&](int shift) {
    const std::uint32_t value = argb >> shift & 255;
    return alpha == 0 ? 0 : std::min<std::uint32_t>(255, (value * 255 + alpha / 2) / alpha);
  };
  return channel(16) | channel(8) << 8 | channel(0) << 16 | alpha << 24;
}

}  // namespace

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

std::uint32_t from_big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::string png_chunk(std::string_view type_and_data) {
  return big_endian(static_cast<std::uint32_t>(type_and_data.size() - 4))
      .append(type_and_data)
      .append(big_endian(checksum(type_and_data)));
}

std::optional<std::string_view> png_chunk_after(std::string_view png, std::string_view wanted) {
  if (!is_png(png)) return std::nullopt;
  png.remove_prefix(kPngSignature.size());
  while (png.size() >= kAroundChunk) {
    const std::size_t length = from_big_endian(png);
    if (length > png.size() - kAroundChunk) return std::nullopt;
    const std::string_view body = png.substr(4, 4 + length);  // type and data
    if (body.starts_with(wanted)) {
      if (from_big_endian(png.substr(8 + length)) != checksum(body)) return std::nullopt;
      return body.substr(wanted.size());
    }
    png.remove_prefix(kAroundChunk + length);
  }
  return std::nullopt;
}

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

bool is_png(std::string_view bytes) {
  return bytes.starts_with(kPngSignature);
}

std::optional<Provenance> png_provenance(std::string_view bytes) {
  constexpr std::string_view kEnd = "IEND\xae\x42\x60\x82";
  if (!bytes.ends_with(kEnd)) return std::nullopt;
  return provenance_from_json(png_text(bytes, "Provenance", kLargestProvenance));
}

std::optional<std::string> png_figure(std::string_view bytes) {
  return png_text(bytes, "Figure", kLargestFigureJson);
}

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
      result.rgba.push_back(unpremultiplied(row[x], !options.transparent));
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

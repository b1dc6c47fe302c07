// Animated PNG: the chunks acTL, fcTL and fdAT of the PNG specification, third edition,
// section 11.3.6. A program that only knows still pictures shows the first frame.

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "app/export/animation.h"
#include "app/export/png.h"
#include "app/export/provenance.h"

namespace dispersion {
namespace {

constexpr std::size_t kHeaderChunk = 25;  // its length, "IHDR", 13 bytes and a checksum

// The compressed pixels of a PNG, which are the contents of its IDAT chunks.
std::string compressed_pixels(std::string_view png) {
  std::string data;
  for (std::size_t at = kPngSignature.size(); at < png.size();) {
    const std::size_t length = from_big_endian(png.substr(at));
    const std::string_view body = png.substr(at + 4, 4 + length);
    if (body.starts_with("IDAT")) data += body.substr(4);
    at += 12 + length;
  }
  return data;
}

std::string png_of(const Pixels& pixels) {
  std::vector<Colour> colours;
  colours.reserve(pixels.rgba.size());
  for (const std::uint32_t pixel : pixels.rgba)
    colours.push_back(colour_of_pixel(pixel));
  return png_of_pixels(pixels.height, pixels.width, colours);
}

std::string frame_control(std::uint32_t sequence, const AnimationFrame& frame) {
  const auto size = [](int value) { return big_endian(static_cast<std::uint32_t>(value)); };
  // The last four bytes: times are in thousandths of a second (0x03E8 = 1000), and a frame stays
  // until the next one replaces all of it.
  constexpr std::string_view kRest("\x03\xE8\0\0", 4);
  return png_chunk("fcTL" + big_endian(sequence) + size(frame.pixels.width) +
                   size(frame.pixels.height) + size(0) + size(0) +
                   size(frame.milliseconds).substr(2) + std::string(kRest));
}

}  // namespace

std::string apng_bytes(const Animation& animation) {
  require_animation(animation);
  std::string bytes;
  std::uint32_t sequence = 0;
  for (const AnimationFrame& frame : animation.frames) {
    const std::string png = png_of(frame.pixels);
    const bool first = &frame == &animation.frames.front();
    if (first) {
      bytes = png.substr(0, kPngSignature.size() + kHeaderChunk);
      bytes += png_chunk("acTL" + big_endian(static_cast<std::uint32_t>(animation.frames.size())) +
                         big_endian(static_cast<std::uint32_t>(animation.rounds)));
    }
    bytes += frame_control(sequence++, frame);
    const std::string data = compressed_pixels(png);
    bytes += first ? png_chunk("IDAT" + data) : png_chunk("fdAT" + big_endian(sequence++) + data);
  }
  bytes += png_chunk("IEND");
  return with_png_notes(bytes, animation.pixels_per_inch,
                        {{"Title", animation.title},
                         {"Description", animation.sentence},
                         {"Provenance", provenance_json(animation.provenance)}});
}

bool is_apng(std::string_view bytes) {
  return png_chunk_after(bytes, "acTL").has_value();
}

}  // namespace dispersion

#include "app/export/compressed.h"

#include <zlib.h>

#include <limits>
#include <memory>
#include <new>

namespace dispersion {
namespace {

// zlib reads bytes of its own type.
const Bytef* input(std::string_view bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

Bytef* output(std::string& bytes) {
  return reinterpret_cast<Bytef*>(bytes.data());
}

}  // namespace

std::string compressed(std::string_view bytes) {
  uLongf length = compressBound(bytes.size());
  std::string stream(length, '\0');
  const int result =
      compress2(output(stream), &length, input(bytes), bytes.size(), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw std::bad_alloc();  // the buffer is large enough for anything
  stream.resize(length);
  return stream;
}

std::optional<std::string> uncompressed(std::string_view stream, std::size_t most) {
  constexpr std::size_t kStep = 1 << 16;
  if (stream.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  z_stream state = {};
  state.next_in = const_cast<Bytef*>(input(stream));  // zlib does not write there
  state.avail_in = static_cast<uInt>(stream.size());
  if (inflateInit(&state) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&state, inflateEnd);
  std::string bytes;
  for (int result = Z_OK; result == Z_OK;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kStep);
    state.next_out = output(bytes) + before;
    state.avail_out = kStep;
    result = inflate(&state, Z_NO_FLUSH);
    bytes.resize(before + kStep - state.avail_out);
    if (bytes.size() > most) return std::nullopt;
    if (result == Z_STREAM_END) return state.avail_in == 0 ? std::optional(bytes) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace dispersion

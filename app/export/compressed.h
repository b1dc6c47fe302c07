#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dispersion {

// A stream of zlib (RFC 1950), as PNG and PDF hold them. Throws std::bad_alloc.
std::string compressed(std::string_view bytes);

// What went into such a stream: nothing if it is cut, changed or of more than `most` bytes.
std::optional<std::string> uncompressed(std::string_view stream, std::size_t most);

}  // namespace dispersion

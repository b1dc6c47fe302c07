#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dispersion {

// The encodings that exported files use inside: UTF-8, base64 and the streams of zlib.

// Removes the first character from UTF-8 text, which must not be empty, and returns it. For a byte
// that begins no valid character (also a surrogate, an overlong form or a value beyond Unicode)
// that one byte is removed and U+FFFD is returned.
char32_t take_character(std::string_view& text);

// The character, or U+FFFD for one that Unicode keeps free for ever: cairo refuses texts with it.
char32_t cairo_character(char32_t character);

// Appends a character as UTF-8.
void append_character(std::string& text, char32_t character);

// Base64 with padding (RFC 4648).
std::string base64(std::string_view bytes);

// Base64 for names and URLs: '-' and '_' in place of '+' and '/', without padding.
std::string base64url(std::string_view bytes);
// The bytes of such a text; nothing for any other text.
std::optional<std::string> from_base64url(std::string_view text);

// A zlib stream (RFC 1950), as PNG and PDF store them. Throws std::bad_alloc.
std::string compressed(std::string_view bytes);

// The bytes that such a stream was made from; nothing if the stream is cut off or was changed.
// Throws LimitError if it holds more than `most` bytes.
std::optional<std::string> uncompressed(std::string_view stream, std::size_t most);

}  // namespace dispersion

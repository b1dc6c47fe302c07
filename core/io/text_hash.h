#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// 64-bit FNV-1a over the bytes.
std::uint64_t text_hash(std::string_view text);

// The same as 16 hexadecimal digits.
std::string text_hash_digits(std::string_view text);

}  // namespace dispersion

#pragma once

#include <bit>
#include <cstdint>

namespace dispersion {

// A bfloat16 number: the upper half of a float.
struct Bf16 {
  std::uint16_t bits;
};

// The host's numbers and the device's. A float to become Bf16 must be rounded to it already
// (core/precision/rounding.h).
inline void convert_number(float from, float& to) {
  to = from;
}
inline void convert_number(float from, Bf16& to) {
  to.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(from) >> 16);
}
inline void convert_number(Bf16 from, float& to) {
  to = std::bit_cast<float>(static_cast<std::uint32_t>(from.bits) << 16);
}

}  // namespace dispersion

#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/head/recipe.h"

namespace dispersion {

// Rounding of floats to the nearest number of a shorter format, ties to even, as floats. Subnormal
// results are kept, what lies beyond the largest number becomes infinite, NaN stays NaN. Without
// branches, so that loops over them vectorise.

struct NoRounding {
  float operator()(float x) const { return x; }
};

// bfloat16: 8 bits of exponent, 7 of fraction: the upper half of a float.
struct RoundToBf16 {
  float operator()(float x) const {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
    const std::uint32_t quiet_nan = (bits | 0x00400000u) & 0xffff0000u;
    return std::bit_cast<float>((bits & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded);
  }
};

// IEEE binary16: 5 bits of exponent, 10 of fraction.
struct RoundToFp16 {
  float operator()(float x) const {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits & 0x80000000u;
    const std::uint32_t size = bits & 0x7fffffffu;
    constexpr std::uint32_t kInfinity = 0x7f800000u;
    constexpr std::uint32_t kQuietNan = 0x7fc00000u;
    constexpr std::uint32_t kSmallestNormal = 0x38800000u;  // 2^-14
    constexpr std::uint32_t kTooLarge = 0x47800000u;        // 2^16
    const std::uint32_t normal = (size + 0xfffu + ((size >> 13) & 1u)) & 0xffffe000u;
    // Numbers of [1/2, 1) are 2^-24 apart, as are binary16's subnormal ones.
    const auto subnormal = std::bit_cast<std::uint32_t>((std::bit_cast<float>(size) + 0.5f) - 0.5f);
    std::uint32_t rounded = size < kSmallestNormal ? subnormal : normal;
    rounded = normal >= kTooLarge ? kInfinity : rounded;
    rounded = size > kInfinity ? kQuietNan : rounded;
    return std::bit_cast<float>(sign | rounded);
  }
};

enum class Rounding { kNone, kBf16, kFp16 };

// What a precision does to the inputs of every product.
Rounding product_rounding(Precision precision);
// What it does to the priorities before the head sees them.
Rounding priority_rounding(Precision precision);

// use(round), round being one of the three above.
template <class Use>
void with_rounding(Rounding rounding, Use use) {
  switch (rounding) {
    case Rounding::kNone:
      use(NoRounding{});
      return;
    case Rounding::kBf16:
      use(RoundToBf16{});
      return;
    case Rounding::kFp16:
      use(RoundToFp16{});
      return;
  }
}

// The 16-bit pattern of a number >= 0 that is rounded already. `rounding` must round.
inline std::uint16_t short_bits(Rounding rounding, float rounded) {
  const auto bits = std::bit_cast<std::uint32_t>(rounded);
  if (rounding == Rounding::kBf16) return static_cast<std::uint16_t>(bits >> 16);
  constexpr std::uint32_t kSmallestNormal = 0x38800000u;  // 2^-14
  constexpr std::uint32_t kBias = (127 - 15) << 10;       // between the exponents of the two
  return static_cast<std::uint16_t>(bits < kSmallestNormal
                                        ? static_cast<std::uint32_t>(rounded * 0x1p24f)
                                        : (bits >> 13) - kBias);
}

// to[i] = round(from[i]); the two may be the same.
void round_values(Rounding rounding, const float* from, float* to, std::size_t count);

}  // namespace dispersion

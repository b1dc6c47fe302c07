#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.h"

namespace dispersion {

// exp(x) without branches or library calls, so that loops over it vectorise (libm's expf is about
// 30 times slower in a loop). Range reduction x = k ln 2 + r and a degree-7 polynomial on
// |r| <= ln 2 / 2; the error is at most 1.5 units in the last place on [-87.3, 88] (tested). Below
// -87.3 the result is 0, so that -infinity gives exactly 0; above 88 it is exp(88). NaN gives NaN.
[[gnu::always_inline]] DISPERSION_HOST_DEVICE inline float exponential(float x) {
  constexpr float kLowest = -87.3f;
  constexpr float kHighest = 88.0f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to the nearest integer
  float clamped = x < kLowest ? kLowest : x;
  clamped = clamped > kHighest ? kHighest : clamped;
  const float shifted = std::fma(clamped, 1.44269504088896341f, kRound);
  const float k = shifted - kRound;
  float r = std::fma(k, -0.693359375f, clamped);  // ln 2 in two parts (Cody and Waite)
  r = std::fma(k, 2.12194440e-4f, r);
  float p = 1.0f / 5040;
  p = std::fma(p, r, 1.0f / 720);
  p = std::fma(p, r, 1.0f / 120);
  p = std::fma(p, r, 1.0f / 24);
  p = std::fma(p, r, 1.0f / 6);
  p = std::fma(p, r, 0.5f);
  p = std::fma(p, r, 1.0f);
  p = std::fma(p, r, 1.0f);
  const std::int32_t power =
      std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
  const float result = p * std::bit_cast<float>((power + 127) << 23);
  return x < kLowest ? 0.0f : result;
}

[[gnu::always_inline]] DISPERSION_HOST_DEVICE inline double exponential(double x) {
  return std::exp(x);
}

}  // namespace dispersion

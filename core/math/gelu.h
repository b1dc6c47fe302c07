#pragma once

#include <cmath>
#include <cstddef>

#include "core/host_device.h"
#include "core/math/exponential.h"

namespace dispersion {

// GELU in the tanh form, which is what flax.linen.gelu computes:
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)).

template <class Scalar>
struct GeluPoint {
  Scalar value;
  Scalar slope;
};

// gelu(x) and its derivative. Always inlined, because GCC considers it too large and does not
// vectorise loops with a call.
template <class Scalar>
[[gnu::always_inline]] DISPERSION_HOST_DEVICE inline GeluPoint<Scalar> gelu_point(Scalar x) {
  constexpr Scalar kScale = Scalar(1.5957691216057308);  // 2 sqrt(2 / pi)
  constexpr Scalar kCubic = Scalar(0.044715);
  const Scalar square = x * x;
  const Scalar argument = kScale * x * std::fma(kCubic, square, Scalar(1));
  const Scalar power = exponential(-argument);
  const Scalar sigmoid = Scalar(1) / (Scalar(1) + power);
  const Scalar complement = power * sigmoid;  // 1 - sigmoid, without cancellation
  const Scalar argument_slope = kScale * std::fma(3 * kCubic, square, Scalar(1));
  const Scalar value = x * sigmoid;
  return {value, std::fma(value * complement, argument_slope, sigmoid)};
}

// Replaces every value by gelu(value) and sets slopes[i] to the derivative there, unless slopes is
// null. For float and double.
template <class Scalar>
void gelu_in_place(Scalar* values, Scalar* slopes, std::size_t count);

}  // namespace dispersion

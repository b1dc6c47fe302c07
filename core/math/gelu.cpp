#include "core/math/gelu.h"

#include <cmath>

#include "core/math/exponential.h"

namespace dispersion {
namespace {

template <class Scalar>
struct GeluPoint {
  Scalar value;
  Scalar slope;
};

// Inlined by force: GCC finds it too large, and a call would keep the loops below from vectorising.
template <class Scalar>
[[gnu::always_inline]] inline GeluPoint<Scalar> gelu_point(Scalar x) {
  constexpr Scalar kScale = Scalar(1.5957691216057308);  // 2 sqrt(2 / pi)
  constexpr Scalar kCubic = Scalar(0.044715);
  const Scalar square = x * x;
  const Scalar argument = kScale * x * std::fma(kCubic, square, Scalar(1));
  const Scalar power = exponential(-argument);
  const Scalar sigmoid = Scalar(1) / (Scalar(1) + power);
  const Scalar rest = power * sigmoid;  // 1 - sigmoid, without its cancellation
  const Scalar argument_slope = kScale * std::fma(3 * kCubic, square, Scalar(1));
  const Scalar value = x * sigmoid;
  return {value, std::fma(value * rest, argument_slope, sigmoid)};
}

}  // namespace

template <class Scalar>
void gelu_in_place(Scalar* values, Scalar* slopes, std::size_t count) {
  if (slopes == nullptr) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = gelu_point(values[i]).value;
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const GeluPoint<Scalar> point = gelu_point(values[i]);
    values[i] = point.value;
    slopes[i] = point.slope;
  }
}

template void gelu_in_place(float*, float*, std::size_t);
template void gelu_in_place(double*, double*, std::size_t);

}  // namespace dispersion

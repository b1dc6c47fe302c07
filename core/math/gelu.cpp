#include "core/math/gelu.h"

namespace dispersion {
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

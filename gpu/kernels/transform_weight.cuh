#pragma once

#include <cuda_runtime.h>

#include "core/math/exponential.h"

namespace dispersion {

// From here down exp(x) is 0. Keeps -infinity out of products with 0; NaN stays NaN.
template <class Scalar>
__device__ inline Scalar bounded_below(Scalar x) {
  constexpr Scalar kLowest = -1000;
  return x < kLowest ? kLowest : x;
}

struct WeightPoint {
  float weight;
  float exponent;
};

// exp(scale (e - largest)) with scale = beta / theta; under hard attention 1 for the largest and 0
// for the others.
struct TransformWeight {
  float scale;
  bool hard;

  __device__ WeightPoint at(float below) const {
    if (hard) return {below == 0 ? 1.0f : 0.0f, 0.0f};
    const float exponent = bounded_below(scale * below);
    return {exponential(exponent), exponent};
  }
};

}  // namespace dispersion

#pragma once

#include "core/attention/attention_transform.h"

namespace dispersion {

// beta of the transforms that the kernels take, for a row with this entropy of softmax(e / theta).
// NaN for any other, so that it could not pass for softmax: the host refuses it before.
__device__ inline double transform_beta(const AttentionTransform& transform, double entropy) {
  switch (transform.id) {
    case TransformId::kSoftmax:
      return 1;
    case TransformId::kAdaptive:
      return adaptive_beta(transform.rule, entropy);
    case TransformId::kHard:
      return static_cast<double>(INFINITY);
    default:
      return static_cast<double>(NAN);
  }
}

}  // namespace dispersion

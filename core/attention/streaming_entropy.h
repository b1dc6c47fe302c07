#pragma once

#include <cmath>
#include <limits>

#include "core/host_device.h"

namespace dispersion {

// Entropy of softmax(e) in one pass over e, in constant memory: the corrected form of appendix G,
// whose printed result has the wrong sign and the wrong running maximum. Centred on the maximum, so
// that an offset of the logits costs nothing: with m = max e, L = sum exp(e - m) and
// S = sum exp(e - m) (e - m), H = log L - S / L.
template <class Scalar>
struct StreamingEntropy {
  Scalar max = -std::numeric_limits<Scalar>::infinity();
  Scalar sum = 0;           // L
  Scalar weighted_sum = 0;  // S

  DISPERSION_HOST_DEVICE void push(Scalar logit) {
    if (logit == -std::numeric_limits<Scalar>::infinity()) return;  // a masked item has no weight
    merge({logit, Scalar(1), Scalar(0)});
  }

  // M = max m_i, r_i = exp(m_i - M): L = sum r_i L_i, S = sum r_i (S_i + (m_i - M) L_i).
  DISPERSION_HOST_DEVICE void merge(const StreamingEntropy& other) {
    if (other.sum == 0) return;
    if (sum == 0) {
      *this = other;
      return;
    }
    const Scalar top = max > other.max ? max : other.max;
    const Scalar shift = max - top;
    const Scalar other_shift = other.max - top;
    const Scalar scale = std::exp(shift);
    const Scalar other_scale = std::exp(other_shift);
    weighted_sum = scale * (weighted_sum + shift * sum) +
                   other_scale * (other.weighted_sum + other_shift * other.sum);
    sum = scale * sum + other_scale * other.sum;
    max = top;
  }

  // Nats; 0 when nothing was pushed.
  DISPERSION_HOST_DEVICE Scalar entropy() const {
    return sum == 0 ? Scalar(0) : std::log(sum) - weighted_sum / sum;
  }

  // log sum exp(e) - max e; 0 when nothing was pushed.
  DISPERSION_HOST_DEVICE Scalar log_sum_exp_minus_max() const {
    return sum == 0 ? Scalar(0) : std::log(sum);
  }
};

}  // namespace dispersion

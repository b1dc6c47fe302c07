#pragma once

#include <string_view>

#include "tests/shipped_head.h"

// What the tests of the spectral path share.

namespace dispersion {

// A shipped head that answers `factor` times as steeply to the priorities and classes.
inline Parameters<float> sharpened(float factor) {
  Parameters<float> head = shipped_head();
  for (float& w : head.tensor(TensorId::kItem0Kernel))
    w *= factor;
  return head;
}

// The key bias shifts all logits of a set alike: its true gradient is 0, and what either path
// computes is rounding.
inline bool has_gradient(std::string_view tensor) {
  return tensor != "attention.key.bias";
}

}  // namespace dispersion

#pragma once

#include <vector>

#include "core/experiment/dispersion.h"
#include "core/figure/named_value.h"

namespace dispersion {

// What the window says of the cell under the pointer: one item of one set of a frame.
struct FrameCell {
  int set = 0;
  int column = 0;  // of the shown items
};

inline constexpr const char* kWeightLabel = "weight";
inline constexpr const char* kSetEntropyLabel = "entropy H of the set";

// The item's priority, class and logit.
std::vector<NamedValue> item_values(const FrameLogits& logits, FrameCell cell);

// Its weight under the frame's transform, and entropy and temperature of its set. There is a
// temperature only where the transform is a softmax of a finite one.
std::vector<NamedValue> weight_values(const AttentionFrame& frame, FrameCell cell);

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <string>

#include "app/desk/desk.h"

namespace dispersion {

// What the newest snapshot knows at one n; null where it is not computed yet.
struct FrameAt {
  const FrameLogits* logits = nullptr;
  const AttentionFrame* plain = nullptr;
  const AttentionFrame* adaptive = nullptr;
  const SizeRow* plain_row = nullptr;
  const SizeRow* adaptive_row = nullptr;
  std::int64_t step = -1;  // the training step the frame shows

  const AttentionFrame* frame(MapKind map) const {
    return map == MapKind::kSoftmax ? plain : adaptive;
  }
};

FrameAt frame_at(const Desk& desk, int items);

// Accuracy in percent with half the width of its 95 % Wilson interval: "62.3 ± 1.1 %".
std::string accuracy_text(const SizeRow& row);
// "0.623047 (95 % 0.601890 to 0.643752, 2048 sets)"
std::string exact_accuracy(const SizeRow& row);

}  // namespace dispersion

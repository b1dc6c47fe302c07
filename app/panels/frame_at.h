#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/app_state.h"

namespace dispersion {

// A transform that is shown, and what the newest snapshot knows of it at one n; null where it is
// not computed yet.
struct TransformAt {
  TransformId id = TransformId::kSoftmax;
  const AttentionFrame* frame = nullptr;
  const SizeRow* row = nullptr;
};

struct FrameAt {
  const FrameLogits* logits = nullptr;
  std::vector<TransformAt> transforms = {{}};  // plain softmax first
  std::int64_t step = -1;                      // the training step the frame shows
  std::int64_t row_step = -1;  // that of the rows; -1: none counted under these settings
  bool frame_current = false;  // as frame_current() and row_current() have it
  bool row_current = false;
  bool frame_of_run = false;  // of the run that is open, whatever step
  bool row_of_run = false;

  const AttentionFrame* plain() const { return transforms.front().frame; }
  const SizeRow* plain_row() const { return transforms.front().row; }
};

FrameAt frame_at(const AppState& app, int items);

// What to say of numbers that are not current: "of step 1 200", "being computed"; else "".
std::string frame_age_text(const FrameAt& at);
std::string row_age_text(const FrameAt& at);

// Accuracy in percent with half the width of its 95 % Wilson interval: "62.3 ± 1.1 %".
std::string accuracy_text(const SizeRow& row);
// "0.623047 (95 % 0.601890 to 0.643752, 2048 sets)"
std::string exact_accuracy(const SizeRow& row);

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/app_state.h"

namespace dispersion {

// A transform that is shown, with its frame and its row of the newest snapshot at one n; null where
// that has not been computed yet.
struct TransformAt {
  TransformId id = TransformId::kSoftmax;
  const AttentionFrame* frame = nullptr;
  const SizeRow* row = nullptr;
};

// All that the newest snapshot knows about one n. A frame holds the weights of the 32 sets of the
// heat maps; a row holds the measurements over all evaluation sets.
struct FrameAt {
  const FrameLogits* logits = nullptr;
  std::vector<TransformAt> transforms = {{}};  // plain softmax first
  // Training steps as counted_step() in run_status.h has them. Of the frame; of the rows, or -1
  // where there is no row under these settings.
  std::int64_t step = -1;
  std::int64_t row_step = -1;
  bool frame_current = false;  // see frame_current() and row_current() in run_status.h
  bool row_current = false;
  bool frame_of_run = false;  // the frame is of the open run, at any step
  bool row_of_run = false;

  const AttentionFrame* plain() const { return transforms.front().frame; }
  const SizeRow* plain_row() const { return transforms.front().row; }
  // Of a transform that is shown; null where it is not, or not computed yet.
  const AttentionFrame* frame_under(TransformId id) const;
  const SizeRow* row_under(TransformId id) const;
};

FrameAt frame_at(const AppState& app, int items);

// The age of numbers that are not current: "of step 1 200", "of the head before", "being computed";
// "" for current ones.
std::string frame_age_text(const FrameAt& at);
std::string row_age_text(const FrameAt& at);
// The same for its point in a plot, where numbers of other settings stay: "of the settings before".
std::string point_age_text(const FrameAt& at);

// The age of the heat maps where some are not current: "3 of 11 maps are of the head before", "7 of
// 11 maps are of older steps, from step 1 200 on"; "" where all are.
std::string maps_age_text(const AppState& app);

}  // namespace dispersion

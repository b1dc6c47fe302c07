#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/session/training_run.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"

namespace dispersion {

// The transforms of a view, plain softmax first; frames and rows have the same order.
using ViewTransforms = std::span<const AttentionTransform>;

// The computation of the picture of one size, chunk by chunk, with one version of the head.
struct SizeJob {
  HeadVersion head;
  double started_at = 0;
  bool wants_frame = false;   // whether the logits of the frame's sets, which come first, are due
  std::vector<float> logits;  // of the sets done so far, [sets_done, items]
  bool counts_rows = true;    // false when the transforms changed on the way
  std::vector<SizeRow> rows;
  std::int64_t sets_done = 0;
  std::int64_t sets_wanted = 0;  // >= kFrameSets when wants_frame
};

// One size of the picture: what the window shows and what is being computed.
struct SizeSlot {
  int items = 0;
  ItemSets frame_sets;  // drawn when first needed

  std::shared_ptr<const FrameLogits> logits;
  std::vector<AttentionFrame> frames;  // [transforms]; items == 0: not computed yet
  std::uint64_t frame_version = 0;     // HeadVersion::version; 0: none yet
  std::int64_t frame_step = -1;
  std::uint64_t frame_run = 0;
  double renewed_at = -std::numeric_limits<double>::infinity();  // when the last job done began

  std::vector<SizeRow> rows;
  std::uint64_t row_version = 0;  // 0: none yet, or counted with older transforms or set seed
  std::int64_t row_step = -1;
  std::uint64_t row_run = 0;

  std::optional<SizeJob> job;
};

SizeSlot empty_slot(int items, ViewTransforms transforms);

// Takes over the frame and the rows of a picture under the slot's transforms, where they are of
// this head.
void take_from(const ViewSnapshot& picture, const HeadVersion& head, SizeSlot& slot);

// A job for the frame and then for rows over `sets_wanted` sets.
SizeJob frame_job(const HeadVersion& head, double now, ViewTransforms transforms, int items,
                  std::int64_t sets_wanted);
// A job for rows over `sets_wanted` sets, which adds to the slot's rows if they are of this head.
SizeJob row_job(const SizeSlot& slot, const HeadVersion& head, double now,
                ViewTransforms transforms, std::int64_t sets_wanted);

// Works on at most `most_sets` further sets of the slot's job, and moves finished frames and rows
// into the slot. Returns how many items were worked on. The results do not depend on the chunks.
std::int64_t advance_job(SizeSlot& slot, Backend& backend, std::uint32_t set_seed,
                         ViewTransforms transforms, int most_sets);

// Makes the slot due, so that it is renewed when the turn comes to its size.
void make_due(SizeSlot& slot, double now);

// Changes the transforms: the frame follows at once from the logits; the rows must be counted
// again.
void change_transforms(SizeSlot& slot, ViewTransforms transforms, double now);

}  // namespace dispersion

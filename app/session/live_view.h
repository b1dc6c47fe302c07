#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/session/size_slot.h"
#include "app/session/view_schedule.h"

namespace dispersion {

// The picture that the window requests: keeps it, renews it chunk by chunk as the head changes, and
// hands out snapshots. Belongs to the worker's thread.
class LiveView {
 public:
  // New transforms show at once, from the logits that are there, without a forward pass. Throws
  // std::invalid_argument, and nothing has changed, for one that is not valid.
  void accept(ViewRequest request);

  // Begins with what a picture under the transforms of the request has of this head.
  void go_on_from(const ViewSnapshot& picture, const HeadVersion& head);

  // The transforms of the newest request.
  std::span<const AttentionTransform> transforms() const { return transforms_; }

  bool visible() const { return request_.visible; }

  // Must be called when another run is opened: drops the work for the old run and makes every size
  // due.
  void begin_run();

  // One chunk of about `slice_seconds` for a head that is not being trained: first every frame and
  // the rows of its sets, small sizes first; then, if `sharpen`, more and more sets for the rows.
  // Returns false when there is nothing left to do.
  bool work_paused(Backend& backend, const HeadVersion& head, double slice_seconds, bool sharpen);

  // One chunk while training: the frame that is most overdue. `run` gives the head when a new frame
  // is begun. Returns false when none is due.
  bool work_training(Backend& backend, TrainingRun& run, double slice_seconds);

  // Whether every frame shows this version of the head.
  bool frames_current(std::uint64_t version) const;

  // The share of the work on a head that is not being trained that is done, in [0, 1].
  double share(std::uint64_t version) const;

  // Null before the first request. `step`, `version`: of the run's current head.
  std::shared_ptr<const ViewSnapshot> snapshot(std::int64_t step, std::uint64_t version) const;

 private:
  void advance(SizeSlot& slot, Backend& backend, double slice_seconds);
  SizeSlot* next_paused(const HeadVersion& head, bool sharpen);
  SizeSlot* most_overdue(double now);
  std::int64_t live_sets(int items);

  ViewRequest request_;
  std::vector<AttentionTransform> transforms_;
  std::vector<SizeSlot> slots_;  // in the order of request_.sizes
  // The time that so many items took, of which older measurements count less and less. They begin
  // with a guess that is slower than real machines.
  double seconds_ = 1e-3;
  double items_ = 1e3;
  // How many times live_row_sets() is counted while training, of large and of small sizes.
  std::array<std::int64_t, 2> live_factor_ = {1, 1};
};

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.h"
#include "core/cpu/task_team.h"
#include "core/head/activations.h"
#include "core/head/backward.h"
#include "core/precision/rounded_backward.h"
#include "core/precision/rounded_head.h"

namespace dispersion {

// Trains a group of heads. A batch is cut into a fixed number of slices of whole sets; each slice
// goes forward and backward by itself, and the slices' gradients are added in order. A head's
// numbers therefore depend neither on the threads nor on the other heads.
class CpuTrainer {
 public:
  CpuTrainer(const Recipe& recipe, std::vector<TrainingState> heads, int threads);

  TrainOutcome train(int steps, std::vector<StepRecord>& records, TaskTeam& team);

  int head_count() const { return static_cast<int>(heads_.size()); }
  const TrainingState& state(int head) const { return heads_[static_cast<std::size_t>(head)]; }

  // Slices of a batch. Four keep the activations of one (some 330 rows of 128) in the second-level
  // cache and still give the products enough rows.
  static constexpr int kSlices = 4;

 private:
  // A run of parameters inside one tensor, small enough to share out among threads.
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_kernel = false;
  };
  struct SliceResult {
    Parameters<float> gradient;
    BatchLoss loss;
    bool used = false;
  };
  struct PieceResult {
    double squares = 0;  // sum w^2
    bool finite = true;  // the gradient
  };
  struct ThreadSpace {
    Activations<float> activations;
    BackwardWorkspace<float> backward;
    RoundedActivations rounded_activations;  // used only where products are rounded
    RoundedBackwardWorkspace rounded_backward;
  };

  void draw_batches();
  void run_slice(int head, int slice, ThreadSpace& space);
  // Forward and backward on some sets of a head's batch; replaces `gradient`.
  BatchLoss slice_gradient(int head, const ItemSetsView& sets, ThreadSpace& space,
                           Parameters<float>& gradient);
  void add_slices(int head, int piece);
  void update(int head, int piece);
  StepRecord record(int head) const;
  bool finite(int head, const StepRecord& record) const;

  Recipe recipe_;
  std::vector<TrainingState> heads_;
  std::vector<ItemSets> batches_;     // [heads]
  std::vector<RoundedHead> rounded_;  // [heads], the heads as they stand; empty without rounding
  std::vector<SliceResult> slices_;   // [heads, kSlices]; the last collects the sum
  std::vector<Piece> pieces_;
  std::vector<PieceResult> piece_results_;  // [heads, pieces]
  std::vector<ThreadSpace> spaces_;         // [threads]
};

}  // namespace dispersion

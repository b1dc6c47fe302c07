#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.h"
#include "core/head/activations.h"
#include "core/head/backward.h"
#include "core/precision/rounded_backward.h"
#include "core/precision/rounded_head.h"
#include "core/spectral/spectral_step.h"

namespace dispersion {

// Work space of one thread.
struct TrainerSpace {
  Activations<float> activations;
  BackwardWorkspace<float> backward;
  SpectralSpace<float> spectral;
  RoundedActivations rounded_activations;  // used only where products are rounded
  RoundedBackwardWorkspace rounded_backward;
};

// The training steps of one head, cut into phases of tasks. The tasks of a phase may run on
// different threads at once; they write to places of their own, and sums over them are taken in
// order in a later phase. So a head's numbers depend neither on threads nor on other heads.
class HeadTrainer {
 public:
  HeadTrainer(const Recipe& recipe, TrainingState state);

  // A step is: every phase in turn, with finish_step() before the last; when that finds something
  // not finite, the last phase is left out and nothing has changed.
  enum class Phase { kBegin, kSlices, kNodes, kSum, kUpdate };
  static constexpr Phase kPhasesBeforeUpdate[] = {Phase::kBegin, Phase::kSlices, Phase::kNodes,
                                                  Phase::kSum};
  int tasks(Phase phase) const;
  void run(Phase phase, int task, TrainerSpace& space);

  // What the step reports, and whether its loss and gradient are finite.
  struct Outcome {
    StepRecord record;
    bool finite = true;
  };
  Outcome finish_step() const;
  void step_done() { ++state_.step; }

  // Chooses the points of the spectral path at the steps where they are chosen; before each step.
  void choose_points();

  const TrainingState& state() const { return state_; }
  // Takes back weights, moments, points and step.
  void restore(const TrainingState& state);

 private:
  // Slices of a batch on the direct path. Four keep the activations of one (some 330 rows of 128)
  // in the second-level cache and still give the products enough rows.
  static constexpr int kSlices = 4;

  // Which work of the spectral path a gradient comes from: every slice of the batch, the two halves
  // of the nodes, or the one task of the queries. (On the direct path, always every slice.)
  enum class Source { kSlices, kHalves, kQueries };
  static Source spectral_source(TensorId id);

  // A run of parameters inside one tensor, small enough to share out among threads.
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_kernel = false;
    Source spectral_source = Source::kSlices;
  };
  // The gradient of a part of the work; their sum is collected in the last.
  struct Part {
    Parameters<float> gradient;
    BatchLoss loss;
    bool used = false;
  };
  struct PieceResult {
    double squares = 0;  // sum w^2
    bool finite = true;  // the gradient
  };

  bool spectral() const { return state_.item_points > 0; }
  Part& part(int index) { return parts_[static_cast<std::size_t>(index)]; }
  void take_points();
  void draw_batch();
  void begin(int task);
  bool rounded() const { return product_rounding(recipe_.precision) != Rounding::kNone; }
  void run_slice(int slice, TrainerSpace& space);
  BatchLoss slice_gradient(const ItemSetsView& sets, TrainerSpace& space,
                           Parameters<float>& gradient) const;
  void run_spectral_slice(int slice, TrainerSpace& space);
  bool holds(int part, const Piece& piece) const;
  void sum_parts(int piece);
  void update(int piece);

  Recipe recipe_;
  TrainingState state_;
  ItemSets batch_;
  RoundedHead rounded_head_;  // the head as it stands, where products are rounded
  std::vector<Part> parts_;   // [kSlices]
  std::vector<Piece> pieces_;
  std::vector<PieceResult> piece_results_;  // [pieces]
  SpectralStep<float> spectral_;
};

}  // namespace dispersion

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention/attention_transform.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"
#include "core/task/item_sets.h"

namespace dispersion {

// What one training step of one head reported, before its update.
struct StepRecord {
  std::int64_t step = 0;    // the step this was: 1 is the first
  int head = 0;             // index in the group
  float cross_entropy = 0;  // mean over the batch, nats
  float l2 = 0;             // the L2 term of the loss
  float accuracy = 0;       // share of the batch classified right
};

struct TrainOutcome {
  int steps_done = 0;
  // Set when a loss or gradient of a head was not finite. Training stopped before that step's
  // update, so every head still has its last good state.
  bool non_finite = false;
  std::int64_t non_finite_step = 0;
  int non_finite_head = 0;
};

// What one transform gave on each set.
struct TransformEvaluation {
  AttentionTransform transform;
  std::vector<float> entropy;           // of the transform's weights, nats, [sets]
  std::vector<float> weight_on_max;     // on the first item with the largest priority, [sets]
  std::vector<float> beta;              // 1 for plain softmax, [sets]
  std::vector<float> class_logits;      // [sets, classes]
  std::vector<std::int32_t> predicted;  // first largest class logit, [sets]
};

// One head on many sets of one size.
struct SetEvaluation {
  int sets = 0;
  int items = 0;
  std::vector<float> logit_max;               // [sets]
  std::vector<float> logit_min;               // [sets]
  std::vector<std::int32_t> argmax_logit;     // first largest logit, [sets]
  std::vector<std::int32_t> argmax_priority;  // first largest priority, [sets]
  // Items that share the largest priority, [sets]. Priorities are multiples of 2^-24: from some
  // 100,000 items on more than one may well have the largest, and only the first gives the label.
  std::vector<std::int32_t> largest_priorities;
  std::vector<TransformEvaluation> transforms;  // in the order asked for
};

// How a head is evaluated.
struct EvaluationSettings {
  HeadPath path = HeadPath::kSpectral;  // falls back to direct where the error would be too large
  Precision precision = Precision::kFloat;  // other than kFloat: direct
};

// Evaluation sets first_set .. first_set + sets - 1 of `items` items from `seed` (task/draws.h).
struct DrawnSets {
  std::uint32_t seed = 1;
  int items = 0;
  std::uint32_t first_set = 0;
  int sets = 0;
};

// Draws `count` of them, from the one that is `first` of drawn.first_set on.
void draw_evaluation_sets(const DrawnSets& drawn, int first, int count, ItemSets& sets);

// The device is gone, and with it all that the backend held there: only copies of heads that the
// host has are left. One sentence without a full stop.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Of a device with memory of its own; what is free is so for all programs on it.
struct DeviceMemory {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

// What computes. A backend trains a group of heads at once and evaluates heads on many sets. What
// happens to one head depends neither on the heads beside it nor on the number of threads. Any
// function that computes or copies may throw DeviceLost, and then all that follow do.
class Backend {
 public:
  virtual ~Backend() = default;

  // One line for status bar and `info`, e.g. "CPU, 2 threads, AVX-512".
  virtual std::string description() const = 0;

  // One sentence where the group is trained elsewhere than the description says, and why; else "".
  virtual std::string remark() const { return ""; }

  // Nothing where the backend computes in the host's memory.
  virtual std::optional<DeviceMemory> device_memory() const { return std::nullopt; }

  // Takes over a group of heads, each with its own seed and step. Replaces the group before.
  virtual void load(const Recipe& recipe, std::vector<TrainingState> heads) = 0;

  // At most `steps` further steps of every head. Appends one record per step and head.
  virtual TrainOutcome train(int steps, std::vector<StepRecord>& records) = 0;

  virtual int head_count() const = 0;
  // A copy of a head as it stands.
  virtual TrainingState state(int head) const = 0;

  // Whether this backend computes the transform itself. Evaluations under one that it does not take
  // come from the CPU (evaluate_split). Throws std::invalid_argument for an unknown transform.
  virtual bool takes(const AttentionTransform& transform) const;

  // Scaled attention logits (q . k_i) / sqrt(width) of every item: [sets, items].
  virtual void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                                std::vector<float>& logits) = 0;

  // All transforms share the first pass. Like every evaluation throws std::invalid_argument for a
  // transform that is not valid (core/attention/transforms.h).
  virtual SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                                 std::span<const AttentionTransform> transforms) = 0;

  // Both at once, for pictures that show attention and accuracy of the same sets. A backend that
  // overrides this needs one forward pass instead of two.
  virtual SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                             std::span<const AttentionTransform> transforms,
                                             std::vector<float>& logits) {
    attention_logits(head, sets, logits);
    return evaluate(head, sets, transforms);
  }

  // Draws the sets and evaluates them; `labels` is set to theirs, [sets]. A backend that overrides
  // this draws where it computes.
  virtual SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                       std::span<const AttentionTransform> transforms,
                                       const EvaluationSettings& settings,
                                       std::vector<std::int32_t>& labels);
};

// One sentence where the backend leaves some of the transforms to the CPU; else "".
std::string cpu_transforms_remark(const Backend& backend,
                                  std::span<const AttentionTransform> transforms);

// An evaluation under some transforms.
using EvaluateTransforms = std::function<SetEvaluation(std::span<const AttentionTransform>)>;

// For a backend that does not take every transform: those that it takes are evaluated by
// `on_device`, the others by `on_cpu`; the result has all of them in the order asked for.
SetEvaluation evaluate_split(const Backend& backend, std::span<const AttentionTransform> transforms,
                             const EvaluateTransforms& on_device, const EvaluateTransforms& on_cpu);

}  // namespace dispersion

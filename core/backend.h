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

// The measurements of one training step of one head, before the update of its parameters.
struct StepRecord {
  std::int64_t step = 0;    // its number; the first step has number 1
  int head = 0;             // index in the group
  float cross_entropy = 0;  // mean over the batch, nats
  float l2 = 0;             // the L2 term of the loss
  float accuracy = 0;       // share of the batch that was classified correctly
};

struct TrainOutcome {
  int steps_done = 0;
  // Set when a loss or gradient of a head was not finite, or when its weights or moments would not
  // have been after the update, so that they could not be saved. Training stopped before that
  // step's update, so every head still has its last good state.
  bool non_finite = false;
  std::int64_t non_finite_step = 0;
  int non_finite_head = 0;
};

// The results of one transform on each set.
struct TransformEvaluation {
  AttentionTransform transform;
  std::vector<float> entropy;           // of the transform's weights, nats, [sets]
  std::vector<float> weight_on_max;     // on the first item with the largest priority, [sets]
  std::vector<float> beta;              // 1 for plain softmax, [sets]
  std::vector<float> class_logits;      // [sets, classes]
  std::vector<std::int32_t> predicted;  // first largest class logit, [sets]
};

// The results of one head on many sets of one size.
struct SetEvaluation {
  int sets = 0;
  int items = 0;
  std::vector<float> logit_max;               // [sets]
  std::vector<float> logit_min;               // [sets]
  std::vector<std::int32_t> argmax_logit;     // first largest logit, [sets]
  std::vector<std::int32_t> argmax_priority;  // first largest priority, [sets]
  // The number of items that have the largest priority, [sets]. Priorities are multiples of 2^-24,
  // so from about 100,000 items on there may be several, of which the first determines the label.
  std::vector<std::int32_t> largest_priorities;
  std::vector<TransformEvaluation> transforms;  // in the order asked for
};

// How a head is evaluated.
struct EvaluationSettings {
  // The spectral path falls back to the direct one where its error would be too large, and where
  // products are rounded.
  HeadPath path = HeadPath::kSpectral;
  Precision precision = Precision::kFloat;
};

// The evaluation sets first_set ... first_set + sets - 1 of `items` items, drawn from `seed`
// (task/draws.h).
struct DrawnSets {
  std::uint32_t seed = 1;
  int items = 0;
  std::uint32_t first_set = 0;
  int sets = 0;
};

// Throws std::invalid_argument unless every set has an item. There may be no sets.
void require_items(int sets, int items);

// Draws `count` of them into `sets`, beginning with the set drawn.first_set + first.
void draw_evaluation_sets(const DrawnSets& drawn, int first, int count, ItemSets& sets);

// The device is lost, and with it all data of the backend that was not copied to the host. The text
// is one sentence without a full stop.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The memory of a device, and how much of it no program uses.
struct DeviceMemory {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

// A compute backend trains a group of heads at once and evaluates heads on many sets. The results
// of a head depend neither on the other heads of the group nor on the number of threads. Every
// function that computes or copies may throw DeviceLost, and then all later calls do.
class Backend {
 public:
  virtual ~Backend() = default;

  // What computes, in one line, such as "CPU, AVX-512". The provenance of results has it, so it
  // says nothing that results do not depend on.
  virtual std::string description() const = 0;

  // The same with the number of threads, for the status line and the command `info`:
  // "CPU, 2 threads, AVX-512".
  virtual std::string description_with_threads() const { return description(); }

  // Where the group is trained by something else than description() says: one sentence that says by
  // what and why. Otherwise "".
  virtual std::string remark() const { return ""; }

  // Nothing for a backend that computes in the host's memory.
  virtual std::optional<DeviceMemory> device_memory() const { return std::nullopt; }

  // Sets the group of heads to train, each with its own seed and step. Replaces the previous group.
  virtual void load(const Recipe& recipe, std::vector<TrainingState> heads) = 0;

  // Trains every head for at most `steps` further steps. Appends one record per step and head.
  // Where it throws, load() must come next: the state of the heads is not known any more, and a
  // device then throws std::runtime_error from here and from state().
  virtual TrainOutcome train(int steps, std::vector<StepRecord>& records) = 0;

  // The most points that an item of a head in this state gets on the spectral path.
  virtual int most_item_points(const TrainingState& state) const { return state.most_item_points; }

  virtual int head_count() const = 0;
  // A copy of the present state of a head.
  virtual TrainingState state(int head) const = 0;

  // Whether this backend computes the transform itself; otherwise the CPU does (evaluate_split).
  // Throws std::invalid_argument for a transform that is not valid.
  virtual bool takes(const AttentionTransform& transform) const;

  // Scaled attention logits (q . k_i) / sqrt(width) of every item: [sets, items]. Like every
  // evaluation it throws std::invalid_argument for sets without items; there may be no sets.
  virtual void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                                std::vector<float>& logits) = 0;

  // Evaluates all transforms with one forward pass up to the logits. Like every evaluation it
  // throws std::invalid_argument for a transform that is not valid (core/attention/transforms.h).
  virtual SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                                 std::span<const AttentionTransform> transforms) = 0;

  // Both at once, for pictures that show attention and accuracy on the same sets. Backends override
  // it to save the second forward pass.
  virtual SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                             std::span<const AttentionTransform> transforms,
                                             std::vector<float>& logits) {
    attention_logits(head, sets, logits);
    return evaluate(head, sets, transforms);
  }

  // Draws the sets and evaluates them; `labels` receives their labels, [sets]. Backends
  // override it to draw the sets where they compute.
  virtual SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                       std::span<const AttentionTransform> transforms,
                                       const EvaluationSettings& settings,
                                       std::vector<std::int32_t>& labels);
};

// One sentence that names the transforms that the backend leaves to the CPU; "" when there are
// none.
std::string cpu_transforms_remark(const Backend& backend,
                                  std::span<const AttentionTransform> transforms);

// A function that evaluates a head under the given transforms.
using EvaluateTransforms = std::function<SetEvaluation(std::span<const AttentionTransform>)>;

// For a backend that does not compute every transform: `on_device` evaluates those that it computes
// and `on_cpu` the others. The result has all transforms in the given order.
SetEvaluation evaluate_split(const Backend& backend, std::span<const AttentionTransform> transforms,
                             const EvaluateTransforms& on_device, const EvaluateTransforms& on_cpu);

}  // namespace dispersion

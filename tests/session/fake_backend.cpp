#include "tests/session/fake_backend.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

void take_time(std::int64_t microseconds) {
  if (microseconds > 0) std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

TransformEvaluation transform_sets(const ItemSetsView& sets, const std::vector<float>& logits,
                                   const SetEvaluation& evaluation,
                                   const AttentionTransform& transform) {
  const auto items = static_cast<std::size_t>(sets.items);
  TransformEvaluation result;
  result.transform = transform;
  std::vector<float> weights(items);
  for (std::size_t set = 0; set < static_cast<std::size_t>(sets.sets); ++set) {
    const TransformResult outcome = attention_weights(
        std::span<const float>(logits).subspan(set * items, items), transform, std::span(weights));
    const auto top = static_cast<std::size_t>(evaluation.argmax_priority[set]);
    result.entropy.push_back(static_cast<float>(entropy(std::span<const float>(weights))));
    result.beta.push_back(static_cast<float>(outcome.beta));
    result.weight_on_max.push_back(weights[top]);
    result.predicted.push_back(sets.item_class[set * items + top]);
  }
  return result;
}

}  // namespace

TrainingState small_state(std::uint32_t seed) {
  TrainingState state = start_training({.width = 4, .classes = 10}, seed);
  state.parameters.values.front() = 20;
  return state;
}

void FakeBackend::require_device() const {
  if (!control_->lost) return;
  ++control_->calls_when_lost;
  throw DeviceLost(name_ + " was lost");
}

// Only what calls itself a device has memory of its own.
std::optional<DeviceMemory> FakeBackend::device_memory() const {
  require_device();
  if (!name_.starts_with("device")) return std::nullopt;
  return DeviceMemory{3'000'000'000, 4'000'000'000};
}

TrainingState FakeBackend::state(int) const {
  require_device();
  return state_;
}

void FakeBackend::load(const Recipe& recipe, std::vector<TrainingState> heads) {
  require_device();
  if (control_->loads_to_refuse > 0) {
    --control_->loads_to_refuse;
    throw std::runtime_error("the fake refuses");
  }
  validate(recipe);
  state_ = std::move(heads.at(0));
}

TrainOutcome FakeBackend::train(int steps, std::vector<StepRecord>& records) {
  require_device();
  TrainOutcome outcome;
  control_->largest_slice = std::max(control_->largest_slice.load(), steps);
  for (int i = 0; i < steps; ++i) {
    const std::int64_t step = state_.step + 1;
    if (step == control_->lose_at) control_->lost = true;
    require_device();
    if (step == control_->throw_at) throw std::runtime_error("the fake gave up");
    if (step == control_->diverge_at) {
      records.push_back({.step = step, .cross_entropy = std::numeric_limits<float>::quiet_NaN()});
      return {.steps_done = outcome.steps_done, .non_finite = true, .non_finite_step = step};
    }
    take_time(control_->microseconds_per_step);
    const float change = 1e-3f * static_cast<float>((step * 7 + state_.seed) % 11);
    for (float& value : state_.parameters.values)
      value += change;
    state_.step = step;
    records.push_back({.step = step, .cross_entropy = 2, .l2 = 0.5f, .accuracy = 0.75f});
    ++outcome.steps_done;
    ++control_->steps;
  }
  if (state_.step == control_->lose_after) control_->lost = true;
  return outcome;
}

void FakeBackend::pass(const ItemSetsView& sets) {
  require_device();
  ++control_->forward_passes;
  if (control_->throw_in_evaluation) throw std::runtime_error("the fake sees nothing");
  take_time(std::int64_t{control_->microseconds_per_set} * sets.sets);
}

void FakeBackend::attention_logits(const Parameters<float>& head, ItemSetsView sets,
                                   std::vector<float>& logits) {
  pass(sets);
  logits.resize(static_cast<std::size_t>(sets.sets) * static_cast<std::size_t>(sets.items));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    logits[i] = head.values.front() * sets.priority[i];
  }
}

SetEvaluation FakeBackend::evaluate(const Parameters<float>& head, ItemSetsView sets,
                                    std::span<const AttentionTransform> transforms) {
  std::vector<float> logits;
  return evaluate_with_logits(head, sets, transforms, logits);
}

SetEvaluation FakeBackend::evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                                std::span<const AttentionTransform> transforms,
                                                std::vector<float>& logits) {
  attention_logits(head, sets, logits);
  SetEvaluation evaluation;
  evaluation.sets = sets.sets;
  evaluation.items = sets.items;
  const auto items = static_cast<std::size_t>(sets.items);
  for (std::size_t set = 0; set < static_cast<std::size_t>(sets.sets); ++set) {
    const auto row = std::span<const float>(logits).subspan(set * items, items);
    evaluation.logit_max.push_back(*std::ranges::max_element(row));
    evaluation.logit_min.push_back(*std::ranges::min_element(row));
    evaluation.argmax_logit.push_back(first_largest(row));
    const std::span<const float> priorities(sets.priority + set * items, items);
    evaluation.argmax_priority.push_back(first_largest(priorities));
    evaluation.largest_priorities.push_back(
        static_cast<std::int32_t>(std::ranges::count(priorities, std::ranges::max(priorities))));
  }
  for (const AttentionTransform& transform : transforms) {
    evaluation.transforms.push_back(transform_sets(sets, logits, evaluation, transform));
  }
  return evaluation;
}

std::string hash_after(TrainingState state, int steps) {
  FakeBackend backend(std::make_shared<FakeControl>());
  backend.load({}, {std::move(state)});
  std::vector<StepRecord> records;
  backend.train(steps, records);
  return run_hash({}, backend.state(0));
}

}  // namespace dispersion

#include "tests/gpu/backend_scenario.h"

#include "core/attention/transforms.h"
#include "core/head/training_state.h"
#include "core/spectral/points.h"

namespace dispersion {
namespace {

// One more than kernels have room for.
constexpr int kTransforms = 9;

std::vector<AttentionTransform> transforms() {
  std::vector<AttentionTransform> result;
  for (int i = 0; i < kTransforms; ++i) {
    constexpr TransformId kIds[] = {TransformId::kSoftmax, TransformId::kAdaptive,
                                    TransformId::kHard};
    result.push_back(usual_transform(kIds[i % 3]));
    result.back().theta += i / 3;
  }
  return result;
}

// A choice of points is due, and will be another. Drawn once, as that takes longer than all else.
const TrainingState& due_state() {
  static const TrainingState due = [] {
    TrainingState state = start_training({}, 3);
    state.step = kStepsBetweenPointChoices;
    state.item_points = 24;
    state.query_points = 16;
    return state;
  }();
  return due;
}

void append(const std::vector<float>& more, std::vector<float>& to) {
  to.insert(to.end(), more.begin(), more.end());
}

void append(const SetEvaluation& evaluation, std::vector<float>& entropy) {
  for (const TransformEvaluation& transform : evaluation.transforms)
    append(transform.entropy, entropy);
}

}  // namespace

Scenario::Scenario(DeviceUse use, AttentionNumbers numbers)
    : use_(use), attention_{.heads = 1, .n = 2, .d = 64, .numbers = numbers} {
  recipe_.batch_sets = 1;
  recipe_.smallest_set = 1;
  recipe_.largest_set = 2;
  drawn_.sets = 3;
  drawn_.items = 3;
  draw_evaluation_sets(drawn_, 0, drawn_.sets, sets_);
}

bool Scenario::make() {
  backend_ = make_cuda_backend(0, use_, why);
  if (!backend_) return false;
  sequences_ = make_cuda_sequence_backend(0, DeviceUse::kBackground, why);
  return sequences_ != nullptr;
}

ScenarioResult Scenario::work() {
  ScenarioResult result;
  const TrainingState& start = due_state();
  backend_->load(recipe_, {start});
  std::vector<StepRecord> records;
  backend_->train(2, records);
  result.head = backend_->state(0).parameters.values;
  backend_->device_memory();
  const auto run =
      sequences_->attend(attention_, draw_sequences(attention_, 1, 3), [](double) { return true; });
  result.attended = run->attended.out;
  evaluate(start.parameters, result);  // last, as it keeps memory
  return result;
}

void Scenario::evaluate(const Parameters<float>& head, ScenarioResult& result) {
  const std::vector<AttentionTransform> all = transforms();
  append(backend_->evaluate(head, sets_.view(), all), result.entropy);
  std::vector<std::int32_t> labels;
  append(backend_->evaluate_drawn(head, drawn_, all, {.path = HeadPath::kDirect}, labels),
         result.entropy);
  append(backend_->evaluate_with_logits(head, sets_.view(), all, result.logits), result.entropy);
  std::vector<float> logits;
  backend_->attention_logits(head, sets_.view(), logits);
  append(logits, result.logits);
}

}  // namespace dispersion

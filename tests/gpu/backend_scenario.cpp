#include "tests/gpu/backend_scenario.h"

#include "core/attention/sequence_attention.h"
#include "core/head/training_state.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

constexpr AttentionTransform kSoftmax;

void append(const std::vector<float>& more, std::vector<float>& to) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Scenario::Scenario() {
  recipe_.batch_sets = 1;
  recipe_.smallest_set = 1;
  recipe_.largest_set = 2;
  drawn_.sets = 1;
  drawn_.items = 3;
  draw_evaluation_sets(drawn_, 0, drawn_.sets, sets_);
}

bool Scenario::make() {
  backend_ = make_cuda_backend(0, DeviceUse::kForeground, why);
  if (!backend_) return false;
  sequences_ = make_cuda_sequence_backend(0, DeviceUse::kBackground, why);
  return sequences_ != nullptr;
}

ScenarioResult Scenario::work() {
  ScenarioResult result;
  const TrainingState start = start_training({}, 3);
  backend_->load(recipe_, {start});
  std::vector<StepRecord> records;
  backend_->train(2, records);
  result.head = backend_->state(0).parameters.values;
  backend_->device_memory();
  evaluate(start.parameters, result);
  const SequenceAttention attention{.heads = 1, .n = 2, .d = 64};
  const auto run =
      sequences_->attend(attention, draw_sequences(attention, 1, 3), [](double) { return true; });
  result.attended = run->attended.out;
  return result;
}

void Scenario::evaluate(const Parameters<float>& head, ScenarioResult& result) {
  const std::span<const AttentionTransform> softmax(&kSoftmax, 1);
  append(backend_->evaluate(head, sets_.view(), softmax).transforms[0].entropy, result.entropy);
  std::vector<std::int32_t> labels;
  const SetEvaluation drawn =
      backend_->evaluate_drawn(head, drawn_, softmax, {.path = HeadPath::kDirect}, labels);
  append(drawn.transforms[0].entropy, result.entropy);
  const SetEvaluation with_logits =
      backend_->evaluate_with_logits(head, sets_.view(), softmax, result.logits);
  append(with_logits.transforms[0].entropy, result.entropy);
  std::vector<float> logits;
  backend_->attention_logits(head, sets_.view(), logits);
  append(logits, result.logits);
}

}  // namespace dispersion

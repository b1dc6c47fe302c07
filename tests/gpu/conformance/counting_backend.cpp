#include "tests/gpu/conformance/counting_backend.h"

#include <regex>

namespace dispersion {

void CallCounts::note(const std::string& function) {
  const std::scoped_lock lock(mutex_);
  ++calls_[function];
}

int CallCounts::of(const std::string& function) const {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(function);
  return found == calls_.end() ? 0 : found->second;
}

std::vector<std::string> virtual_functions(const std::string& header, const std::string& name) {
  const std::size_t begin = header.find("class " + name + " {");
  const std::size_t end = header.find("\n};", begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::string body =
      std::regex_replace(header.substr(begin, end - begin), std::regex("//[^\n]*"), "");
  // The last word before the first bracket.
  const std::regex declaration(R"(\bvirtual\b[^(~]*?(\w+)\()");
  std::vector<std::string> names;
  for (std::sregex_iterator match(body.begin(), body.end(), declaration), last; match != last;
       ++match)
    names.push_back((*match)[1]);
  return names;
}

std::string CountingBackend::description() const {
  counts_.note("description");
  return backend_->description();
}

std::string CountingBackend::description_with_threads() const {
  counts_.note("description_with_threads");
  return backend_->description_with_threads();
}

std::string CountingBackend::remark() const {
  counts_.note("remark");
  return backend_->remark();
}

std::optional<DeviceMemory> CountingBackend::device_memory() const {
  counts_.note("device_memory");
  return backend_->device_memory();
}

void CountingBackend::load(const Recipe& recipe, std::vector<TrainingState> heads) {
  counts_.note("load");
  backend_->load(recipe, std::move(heads));
}

TrainOutcome CountingBackend::train(int steps, std::vector<StepRecord>& records) {
  counts_.note("train");
  return backend_->train(steps, records);
}

int CountingBackend::most_item_points(const TrainingState& state) const {
  counts_.note("most_item_points");
  return backend_->most_item_points(state);
}

int CountingBackend::head_count() const {
  counts_.note("head_count");
  return backend_->head_count();
}

TrainingState CountingBackend::state(int head) const {
  counts_.note("state");
  return backend_->state(head);
}

bool CountingBackend::takes(const AttentionTransform& transform) const {
  counts_.note("takes");
  return backend_->takes(transform);
}

void CountingBackend::attention_logits(const Parameters<float>& head, ItemSetsView sets,
                                       std::vector<float>& logits) {
  counts_.note("attention_logits");
  backend_->attention_logits(head, sets, logits);
}

SetEvaluation CountingBackend::evaluate(const Parameters<float>& head, ItemSetsView sets,
                                        std::span<const AttentionTransform> transforms) {
  counts_.note("evaluate");
  return backend_->evaluate(head, sets, transforms);
}

SetEvaluation CountingBackend::evaluate_with_logits(const Parameters<float>& head,
                                                    ItemSetsView sets,
                                                    std::span<const AttentionTransform> transforms,
                                                    std::vector<float>& logits) {
  counts_.note("evaluate_with_logits");
  return backend_->evaluate_with_logits(head, sets, transforms, logits);
}

SetEvaluation CountingBackend::evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                              std::span<const AttentionTransform> transforms,
                                              const EvaluationSettings& settings,
                                              std::vector<std::int32_t>& labels) {
  counts_.note("evaluate_drawn");
  return backend_->evaluate_drawn(head, drawn, transforms, settings, labels);
}

std::string CountingSequenceBackend::description() const {
  counts_.note("description");
  return backend_->description();
}

std::string CountingSequenceBackend::description_with_threads() const {
  counts_.note("description_with_threads");
  return backend_->description_with_threads();
}

void CountingSequenceBackend::require_room(const SequenceAttention& attention) const {
  counts_.note("require_room");
  backend_->require_room(attention);
}

std::optional<AttentionRun> CountingSequenceBackend::attend(const SequenceAttention& attention,
                                                            const Sequences& sequences,
                                                            const Progress& keep_going) {
  counts_.note("attend");
  return backend_->attend(attention, sequences, keep_going);
}

}  // namespace dispersion

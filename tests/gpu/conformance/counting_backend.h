#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.h"
#include "core/experiment/sequence_backend.h"

namespace dispersion {

// How often each function of an interface was called, by any thread.
class CallCounts {
 public:
  void note(const std::string& function);
  int of(const std::string& function) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> calls_;
};

// The names of the virtual functions that a class declares in the text of a header, in its order,
// without the destructor; none where there is no such class.
std::vector<std::string> virtual_functions(const std::string& header, const std::string& name);

// Forwards every virtual function of Backend to another backend and counts the calls.
class CountingBackend : public Backend {
 public:
  CountingBackend(std::unique_ptr<Backend> backend, CallCounts& counts)
      : backend_(std::move(backend)), counts_(counts) {}

  std::string description() const override;
  std::string description_with_threads() const override;
  std::string remark() const override;
  std::optional<DeviceMemory> device_memory() const override;
  void load(const Recipe& recipe, std::vector<TrainingState> heads) override;
  TrainOutcome train(int steps, std::vector<StepRecord>& records) override;
  int most_item_points(const TrainingState& state) const override;
  int head_count() const override;
  TrainingState state(int head) const override;
  bool takes(const AttentionTransform& transform) const override;
  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override;
  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override;
  SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                     std::span<const AttentionTransform> transforms,
                                     std::vector<float>& logits) override;
  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms,
                               const EvaluationSettings& settings,
                               std::vector<std::int32_t>& labels) override;

 private:
  std::unique_ptr<Backend> backend_;
  CallCounts& counts_;
};

// The same for SequenceBackend.
class CountingSequenceBackend : public SequenceBackend {
 public:
  CountingSequenceBackend(std::unique_ptr<SequenceBackend> backend, CallCounts& counts)
      : backend_(std::move(backend)), counts_(counts) {}

  std::string description() const override;
  std::string description_with_threads() const override;
  void require_room(const SequenceAttention& attention) const override;
  std::optional<AttentionRun> attend(const SequenceAttention& attention, const Sequences& sequences,
                                     const Progress& keep_going) override;

 private:
  std::unique_ptr<SequenceBackend> backend_;
  CallCounts& counts_;
};

}  // namespace dispersion

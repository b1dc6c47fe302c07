#include "gpu/cuda_backend.h"

#include <stdexcept>
#include <utility>

#include "core/backend.h"
#include "core/cpu/cpu_backend.h"
#include "gpu/evaluation/cuda_evaluator.h"
#include "gpu/runtime/device.h"
#include "gpu/training/cuda_trainer.h"

namespace dispersion {
namespace {

// What the device does not take goes to the CPU backend, which is the definition: recipes that
// round, and heads of another shape than the paper's.
bool on_device(const Recipe& recipe, const std::vector<TrainingState>& heads) {
  return recipe.precision == Precision::kFloat && !heads.empty() &&
         heads.front().parameters.shape == kHeadShape;
}

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(const DeviceInfo& device) : device_(device), cpu_(make_cpu_backend(0)) {
    select_device(device.index);
    evaluator_ = std::make_unique<CudaEvaluator>();
  }

  std::string description() const override {
    return "CUDA device " + std::to_string(device_.index) + ", " + device_.name;
  }

  void load(const Recipe& recipe, std::vector<TrainingState> heads) override {
    validate(recipe);
    if (!on_device(recipe, heads)) {
      cpu_->load(recipe, std::move(heads));
      trainer_.reset();
      return;
    }
    // The group before makes room first; whoever asks keeps a copy of what is worth keeping.
    trainer_.reset();
    const int count = static_cast<int>(heads.size());
    require_memory(TrainingMemory::bytes(recipe, count),
                   count == 1 ? "Training a head" : "Training " + std::to_string(count) + " heads");
    trainer_ = std::make_unique<CudaTrainer>(recipe, heads);
  }

  TrainOutcome train(int steps, std::vector<StepRecord>& records) override {
    return trainer_ ? trainer_->train(steps, records) : cpu_->train(steps, records);
  }

  int head_count() const override { return trainer_ ? trainer_->head_count() : cpu_->head_count(); }

  TrainingState state(int head) const override {
    if (!trainer_) return cpu_->state(head);
    if (head < 0 || head >= trainer_->head_count()) {
      throw std::invalid_argument("there is no head " + std::to_string(head));
    }
    return trainer_->state(head);
  }

  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override {
    if (head.shape != kHeadShape) return cpu_->attention_logits(head, sets, logits);
    evaluator_->evaluate(head, sets, {}, &logits);
  }

  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionMap> maps) override {
    if (head.shape != kHeadShape) return cpu_->evaluate(head, sets, maps);
    return evaluator_->evaluate(head, sets, maps, nullptr);
  }

  SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                     std::span<const AttentionMap> maps,
                                     std::vector<float>& logits) override {
    if (head.shape != kHeadShape) return cpu_->evaluate_with_logits(head, sets, maps, logits);
    return evaluator_->evaluate(head, sets, maps, &logits);
  }

  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionMap> maps,
                               const EvaluationSettings& settings,
                               std::vector<std::int32_t>& labels) override {
    if (settings.precision != Precision::kFloat || head.shape != kHeadShape) {
      return cpu_->evaluate_drawn(head, drawn, maps, settings, labels);
    }
    return evaluator_->evaluate_drawn(head, drawn, maps, settings.path, labels);
  }

 private:
  DeviceInfo device_;
  std::unique_ptr<Backend> cpu_;
  std::unique_ptr<CudaTrainer> trainer_;
  std::unique_ptr<CudaEvaluator> evaluator_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device, std::string& reason) {
  try {
    return std::make_unique<CudaBackend>(usable_device(device));
  } catch (const std::runtime_error& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace dispersion

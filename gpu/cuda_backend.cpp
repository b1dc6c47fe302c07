#include "gpu/cuda_backend.h"
#include "core/attention/transforms.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/backend.h"
#include "core/cpu/cpu_backend.h"
#include "core/spectral/points.h"
#include "gpu/evaluation/cuda_evaluator.h"
#include "gpu/runtime/cuda_error.h"
#include "gpu/runtime/device.h"
#include "gpu/training/cuda_trainer.h"

namespace dispersion {
namespace {

// Why the device does not train these, for a status line; empty where it does. What it does not
// take goes to the CPU backend, which is the definition.
std::string why_on_cpu(const Recipe& recipe, const std::vector<TrainingState>& heads) {
  if (recipe.precision != Precision::kFloat) {
    return "This recipe rounds, which only the CPU does: the head is trained there.";
  }
  if (heads.front().parameters.shape != kHeadShape) {
    return "This head is not of the paper's shape: it is trained on the CPU.";
  }
  return "";
}

// One head cannot do with fewer heads, but with smaller sets.
MemoryNeed training_need(const Recipe& recipe, int heads) {
  if (heads > 1) {
    return {
        "Training " + std::to_string(heads) + " heads", "heads", heads,
        [recipe](std::int64_t n) { return TrainingMemory::bytes(recipe, static_cast<int>(n)); }};
  }
  return {"Training a head", "items a set", recipe.largest_set, [recipe](std::int64_t n) {
            Recipe smaller = recipe;
            smaller.largest_set = static_cast<int>(n);
            return TrainingMemory::bytes(smaller, 1);
          }};
}

// Evaluates as many transforms at a time as the kernels have room for.
SetEvaluation evaluate_in_parts(std::span<const AttentionTransform> transforms,
                                const EvaluateTransforms& evaluate_part) {
  constexpr std::size_t kRoom = kMostTransforms;
  SetEvaluation result = evaluate_part(transforms.first(std::min(transforms.size(), kRoom)));
  for (std::size_t first = kRoom; first < transforms.size(); first += kRoom) {
    SetEvaluation part =
        evaluate_part(transforms.subspan(first, std::min(transforms.size() - first, kRoom)));
    std::ranges::move(part.transforms, std::back_inserter(result.transforms));
  }
  return result;
}

class CudaBackend : public Backend {
 public:
  CudaBackend(DeviceInfo device, DeviceUse use)
      : device_(std::move(device)),
        use_(use),
        cpu_(make_cpu_backend(use == DeviceUse::kBackground ? 1 : 0)) {
    open_device(device_.info());
    evaluator_ = std::make_unique<CudaEvaluator>(use);
  }

  std::string description() const override {
    return device_.description() + (remark_.empty() ? "" : "; trained on the CPU");
  }

  std::string remark() const override { return remark_; }

  std::optional<DeviceMemory> device_memory() const override {
    return device_.run([] { return dispersion::device_memory(); });
  }

  void load(const Recipe& recipe, std::vector<TrainingState> heads) override {
    validate(recipe);
    require_group(heads);
    remark_ = why_on_cpu(recipe, heads);
    // The group before makes room first; whoever asks keeps a copy of what is worth keeping.
    trainer_.reset();
    if (!remark_.empty()) return cpu_->load(recipe, std::move(heads));
    const int steps_per_graph =
        device_.info().kernel_time_limit ? kStepsPerShortGraph : kStepsPerGraph;
    device_.run([&] {
      evaluator_->release_memory();
      require_memory(training_need(recipe, static_cast<int>(heads.size())));
      trainer_ = std::make_unique<CudaTrainer>(recipe, heads, use_, steps_per_graph);
    });
  }

  TrainOutcome train(int steps, std::vector<StepRecord>& records) override {
    if (!trainer_) return cpu_->train(steps, records);
    return device_.run([&] { return trainer_->train(steps, records); });
  }

  int most_item_points(const TrainingState& state) const override {
    return trainer_ ? kMostItemPoints : cpu_->most_item_points(state);
  }

  int head_count() const override { return trainer_ ? trainer_->head_count() : cpu_->head_count(); }

  TrainingState state(int head) const override {
    if (!trainer_) return cpu_->state(head);
    if (head < 0 || head >= trainer_->head_count()) {
      throw std::invalid_argument("there is no head " + std::to_string(head));
    }
    return device_.run([&] { return trainer_->state(head); });
  }

  bool takes(const AttentionTransform& transform) const override {
    return Backend::takes(transform) && transform_definition(transform.id).on_device;
  }

  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override {
    if (head.shape != kHeadShape) return cpu_->attention_logits(head, sets, logits);
    require_items(sets.sets, sets.items);
    device_.run([&] { evaluator_->attention_logits(head, sets, logits); });
  }

  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override {
    if (head.shape != kHeadShape) return cpu_->evaluate(head, sets, transforms);
    return evaluate(head, sets, transforms, nullptr);
  }

  SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                     std::span<const AttentionTransform> transforms,
                                     std::vector<float>& logits) override {
    if (head.shape != kHeadShape) return cpu_->evaluate_with_logits(head, sets, transforms, logits);
    return evaluate(head, sets, transforms, &logits);
  }

  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms,
                               const EvaluationSettings& settings,
                               std::vector<std::int32_t>& labels) override {
    if (settings.precision != Precision::kFloat || head.shape != kHeadShape) {
      return cpu_->evaluate_drawn(head, drawn, transforms, settings, labels);
    }
    require_items(drawn.sets, drawn.items);
    return evaluate_split(
        *this, transforms,
        [&](std::span<const AttentionTransform> taken) {
          return device_.run([&] {
            return evaluate_in_parts(taken, [&](std::span<const AttentionTransform> part) {
              return evaluator_->evaluate_drawn(head, drawn, part, settings.path, labels);
            });
          });
        },
        [&](std::span<const AttentionTransform> left) {
          return cpu_->evaluate_drawn(head, drawn, left, settings, labels);
        });
  }

 private:
  // `logits` may be null.
  SetEvaluation evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                         std::span<const AttentionTransform> transforms,
                         std::vector<float>* logits) {
    require_items(sets.sets, sets.items);
    return evaluate_split(
        *this, transforms,
        [&](std::span<const AttentionTransform> taken) {
          return device_.run([&] {
            return evaluate_in_parts(taken, [&](std::span<const AttentionTransform> part) {
              return evaluator_->evaluate(head, sets, part, logits);
            });
          });
        },
        [&](std::span<const AttentionTransform> left) {
          // The device's logits stay where it has some to give.
          const bool wanted = logits != nullptr && left.size() == transforms.size();
          return wanted ? cpu_->evaluate_with_logits(head, sets, left, *logits)
                        : cpu_->evaluate(head, sets, left);
        });
  }

  GuardedDevice device_;
  DeviceUse use_;
  std::string remark_;  // why the group is trained on the CPU; empty: it is not
  std::unique_ptr<Backend> cpu_;
  std::unique_ptr<CudaTrainer> trainer_;
  std::unique_ptr<CudaEvaluator> evaluator_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device, DeviceUse use, std::string& reason) {
  try {
    return std::make_unique<CudaBackend>(usable_device(device), use);
  } catch (const CudaError& error) {
    reason = "CUDA device " + std::to_string(device) + " cannot be used: " + error.reason() + ".";
  } catch (const std::runtime_error& error) {
    reason = error.what();
  }
  return nullptr;
}

CudaFacts cuda_facts() {
  return device_facts();
}

std::vector<std::string> cuda_device_names() {
  std::vector<std::string> names;
  for (const CudaFacts::Device& device : cuda_facts().devices)
    names.push_back(device.name);
  return names;
}

}  // namespace dispersion

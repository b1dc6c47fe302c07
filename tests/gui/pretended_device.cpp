#include "tests/gui/pretended_device.h"

#include <stdexcept>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

constexpr const char* kName = "NVIDIA H100 80GB HBM3";

class PretendedBackend : public Backend {
 public:
  explicit PretendedBackend(std::shared_ptr<PretendedDevice> device)
      : device_(std::move(device)), cpu_(make_cpu_backend()) {}

  std::string description() const override { return std::string("CUDA device 0, ") + kName; }

  std::optional<DeviceMemory> device_memory() const override {
    require_device();
    return DeviceMemory{80'000'000'000, 85'000'000'000};
  }

  void load(const Recipe& recipe, std::vector<TrainingState> heads) override {
    require_device();
    cpu_->load(recipe, std::move(heads));
  }

  TrainOutcome train(int steps, std::vector<StepRecord>& records) override {
    require_device();
    return cpu_->train(steps, records);
  }

  int head_count() const override { return cpu_->head_count(); }

  TrainingState state(int head) const override {
    require_device();
    return cpu_->state(head);
  }

  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override {
    require_device();
    cpu_->attention_logits(head, sets, logits);
  }

  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override {
    require_device();
    return cpu_->evaluate(head, sets, transforms);
  }

 private:
  void require_device() const {
    if (device_->lost) throw DeviceLost("CUDA device 0 was lost: unspecified launch failure");
  }

  std::shared_ptr<PretendedDevice> device_;
  std::unique_ptr<Backend> cpu_;
};

}  // namespace

BackendSource with_device(std::shared_ptr<PretendedDevice> device) {
  return {[device = std::move(device)](const BackendChoice& choice) -> MadeBackend {
            if (choice.kind == BackendChoice::Kind::kCpu) return {make_cpu_backend(), ""};
            if (choice.device != 0) throw std::runtime_error("There is no such device.");
            return {std::make_unique<PretendedBackend>(device), ""};
          },
          [] { return std::vector<std::string>{kName}; },
          [] {
            return cuda_fact_lines({"13.0", "13.1", {{kName, "9.0", 85'000'000'000}}});
          }};
}

}  // namespace dispersion

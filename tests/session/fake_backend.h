#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend.h"

namespace dispersion {

// What a test sets and reads while the worker's thread uses the fake.
struct FakeControl {
  std::atomic<std::int64_t> diverge_at{-1};  // this step's loss is not finite
  std::atomic<std::int64_t> throw_at{-1};    // train() throws once it reaches this step
  std::atomic<bool> throw_in_evaluation{false};
  std::atomic<int> loads_to_refuse{0};       // so many of the next loads
  std::atomic<std::int64_t> lose_after{-1};  // the device is lost as train() returns at this step
  std::atomic<std::int64_t> lose_at{-1};     // the device is lost once train() reaches this step
  std::atomic<bool> lost{false};             // and then every call throws
  std::atomic<int> microseconds_per_step{0};
  std::atomic<int> microseconds_per_set{0};

  std::atomic<int> calls_when_lost{0};
  std::atomic<int> forward_passes{0};  // calls that need the head
  std::atomic<std::int64_t> steps{0};
  std::atomic<int> largest_slice{0};  // steps in one call of train()
  std::atomic<bool> destroyed{false};
};

// A tiny backend whose numbers are simple and exact: a step adds a number that depends on the seed
// and the step to every parameter, a logit is the priority times the first parameter.
class FakeBackend : public Backend {
 public:
  explicit FakeBackend(std::shared_ptr<FakeControl> control, std::string name = "fake")
      : control_(std::move(control)), name_(std::move(name)) {}
  ~FakeBackend() override { control_->destroyed = true; }

  std::string description() const override { return name_; }
  std::optional<DeviceMemory> device_memory() const override;
  void load(const Recipe& recipe, std::vector<TrainingState> heads) override;
  TrainOutcome train(int steps, std::vector<StepRecord>& records) override;
  int head_count() const override { return 1; }
  TrainingState state(int) const override;
  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override;
  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override;
  SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                     std::span<const AttentionTransform> transforms,
                                     std::vector<float>& logits) override;

 private:
  void pass(const ItemSetsView& sets);
  void require_device() const;

  std::shared_ptr<FakeControl> control_;
  std::string name_;
  TrainingState state_;
};

// A small head that gives the fake's logits some spread.
TrainingState small_state(std::uint32_t seed);

// The hash of a run of so many steps, without a session.
std::string hash_after(TrainingState state, int steps);

}  // namespace dispersion

#include "app/commands/train_runs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"
#include "tests/core/temporary_folder.h"
#include "tests/session/fake_backend.h"

namespace dispersion {
namespace {

TEST(TrainRuns, ALostDeviceLeavesTheLastGoodStateOnDisk) {
  const TemporaryFolder folder;
  const auto control = std::make_shared<FakeControl>();
  control->lose_at = 250;
  FakeBackend backend(control, "device 0");
  const TrainingPlan plan{Recipe(), 1000, 100, false, 1};
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  const TrainingEnd end =
      train_runs(backend, plan, runs, [](const TrainingProgress&) { return true; });
  EXPECT_EQ(end.loss, "device 0 was lost");
  EXPECT_FALSE(end.stopped);
  EXPECT_EQ(loss_text(end, runs),
            "device 0 was lost; step 200 is saved in " + (folder / "seed3.safetensors").string());
  const Checkpoint saved = load_checkpoint(folder / "seed3.safetensors");
  EXPECT_EQ(saved.state.step, 200);
  EXPECT_EQ(run_hash(Recipe(), saved.state), run_hash(Recipe(), runs[0].state));

  // And another backend goes on from there.
  FakeBackend cpu(std::make_shared<FakeControl>());
  runs[0].state = saved.state;
  const TrainingEnd after =
      train_runs(cpu, plan, runs, [](const TrainingProgress&) { return true; });
  EXPECT_EQ(after.loss, "");
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 1000);
}

// A backend whose states are not finite from a step on, though it reports losses that are.
class OverflowingBackend : public FakeBackend {
 public:
  explicit OverflowingBackend(std::int64_t step)
      : FakeBackend(std::make_shared<FakeControl>()), step_(step) {}
  TrainingState state(int head) const override {
    TrainingState state = FakeBackend::state(head);
    if (state.step >= step_)
      state.second_moment.values.back() = std::numeric_limits<float>::infinity();
    return state;
  }

 private:
  std::int64_t step_;
};

TEST(TrainRuns, AStateThatCannotBeSavedEndsTheTrainingWithTheLastGoodOne) {
  const TemporaryFolder folder;
  OverflowingBackend backend(250);
  const TrainingPlan plan{Recipe(), 1000, 100, false, 1};
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  const TrainingEnd end =
      train_runs(backend, plan, runs, [](const TrainingProgress&) { return true; });
  EXPECT_TRUE(end.non_finite);
  EXPECT_EQ(end.non_finite_step, 300);
  EXPECT_EQ(end.non_finite_seed, 3u);
  EXPECT_EQ(runs[0].state.step, 200);
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 200);
}

TEST(TrainRuns, SaysWhichStepsAreSavedOfSeveral) {
  TrainingEnd end;
  end.loss = "it was lost";
  std::vector<dispersion::Run> runs(2);
  runs[0] = {"some/seed1.safetensors", small_state(1), 2000};
  runs[1] = {"some/seed2.safetensors", small_state(2), 1000};
  EXPECT_EQ(loss_text(end, runs), "it was lost; step 1000 to 2000 is saved in some");
}

}  // namespace
}  // namespace dispersion

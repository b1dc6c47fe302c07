#include "app/commands/train_runs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/export/provenance.h"
#include "core/io/checkpoint.h"
#include "core/io/history_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/session/fake_backend.h"

namespace dispersion {
namespace {

bool always(const TrainingProgress&) {
  return true;
}

TEST(TrainRuns, ALostDeviceLeavesTheLastGoodStateOnDisk) {
  const TemporaryFolder folder;
  const auto control = std::make_shared<FakeControl>();
  control->lose_at = 250;
  FakeBackend backend(control, "device 0");
  const TrainingPlan plan{Recipe(), 1000, 100, false, 1};
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  const TrainingEnd end = train_runs(backend, plan, runs, always);
  EXPECT_EQ(end.error, "device 0 was lost");
  EXPECT_FALSE(end.stopped);
  EXPECT_EQ(error_text(end, runs),
            "device 0 was lost; step 200 is saved in " + (folder / "seed3.safetensors").string());
  const Checkpoint saved = load_checkpoint(folder / "seed3.safetensors");
  EXPECT_EQ(saved.state.step, 200);
  EXPECT_EQ(run_hash(Recipe(), saved.state), run_hash(Recipe(), runs[0].state));

  // And another backend goes on from there.
  FakeBackend cpu(std::make_shared<FakeControl>());
  runs[0].state = saved.state;
  const TrainingEnd after = train_runs(cpu, plan, runs, always);
  EXPECT_EQ(after.error, "");
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 1000);
}

// The newest copies are those of the training history, of step 200; no save was due before.
TEST(TrainRuns, ABackendThatFailsLeavesTheNewestCopiesOnDisk) {
  const TemporaryFolder folder;
  const auto control = std::make_shared<FakeControl>();
  control->throw_at = 250;
  FakeBackend backend(control);
  const TrainingPlan plan{Recipe(), 1000, 0, true, 1};
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  const TrainingEnd end = train_runs(backend, plan, runs, always);
  EXPECT_EQ(end.error, "the fake gave up");
  EXPECT_EQ(error_text(end, runs),
            "the fake gave up; step 200 is saved in " + (folder / "seed3.safetensors").string());
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 200);
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
  const TrainingEnd end = train_runs(backend, plan, runs, always);
  EXPECT_TRUE(end.non_finite);
  EXPECT_EQ(end.non_finite_step, 300);
  EXPECT_EQ(end.non_finite_seed, 3u);
  EXPECT_EQ(runs[0].state.step, 200);
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 200);
}

// Calls `action` once, when so many steps are done.
std::function<bool(const TrainingProgress&)> at_step(std::int64_t step,
                                                     std::function<void()> action) {
  return [step, action = std::move(action), done = false](const TrainingProgress& now) mutable {
    if (!done && now.steps_done >= step) {
      done = true;
      action();
    }
    return true;
  };
}

TEST(TrainRuns, LeavesAForeignFileThatAppearsAndSavesUnderAnotherName) {
  for (const std::string name : {"seed3.safetensors", "seed3.history.csv"}) {
    const TemporaryFolder folder;
    FakeBackend backend(std::make_shared<FakeControl>());
    const TrainingPlan plan{Recipe(), 1000, 100, true, 1};
    std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
    train_runs(backend, plan, runs, at_step(150, [&] {
                 std::filesystem::remove(folder / name);
                 write_bytes(folder / name, "my notes");
               }));
    EXPECT_EQ(read_bytes(folder / name), "my notes");
    EXPECT_EQ(runs[0].file, folder / "seed3-2.safetensors");
    EXPECT_EQ(load_checkpoint(folder / "seed3-2.safetensors").state.step, 1000);
    EXPECT_TRUE(std::filesystem::exists(folder / "seed3-2.history.csv"));
    EXPECT_TRUE(contains(runs[0].moved, (folder / name).string())) << runs[0].moved;
    EXPECT_TRUE(contains(runs[0].moved, "; it is kept, and this run is saved in " +
                                            (folder / "seed3-2.safetensors").string()))
        << runs[0].moved;
    EXPECT_EQ(runs[0].failure, "");
  }
}

Recipe other_recipe() {
  Recipe recipe;
  recipe.l2 = L2Form::kNone;
  return recipe;
}

// What a process does that trains this recipe for so many steps into the folder.
dispersion::Run trained_into(const TemporaryFolder& folder, const Recipe& recipe,
                             std::int64_t steps, bool history = false) {
  FakeBackend backend(std::make_shared<FakeControl>());
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  train_runs(backend, {recipe, steps, 0, history, 1}, runs, always);
  return runs[0];
}

TEST(TrainRuns, ALaterSaveDoesNotReplaceAnotherRun) {
  const TemporaryFolder folder;
  FakeBackend backend(std::make_shared<FakeControl>());
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  train_runs(backend, {Recipe(), 1000, 0, false, 1}, runs,
             at_step(1, [&] { trained_into(folder, other_recipe(), 50); }));
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").recipe, other_recipe());
  EXPECT_EQ(load_checkpoint(folder / "seed3-2.safetensors").recipe, Recipe());
  EXPECT_TRUE(contains(runs[0].moved, "holds another run (seed 3, step 50)")) << runs[0].moved;
}

TEST(TrainRuns, TheSameRunTwiceKeepsTheLaterStep) {
  const TemporaryFolder folder;
  FakeBackend backend(std::make_shared<FakeControl>());
  std::vector<dispersion::Run> runs = {{folder / "seed3.safetensors", small_state(3), -1}};
  train_runs(backend, {Recipe(), 100, 0, false, 1}, runs,
             at_step(1, [&] { trained_into(folder, Recipe(), 500); }));
  EXPECT_EQ(load_checkpoint(folder / "seed3.safetensors").state.step, 500);
  EXPECT_EQ(runs[0].moved, "");
  EXPECT_EQ(runs[0].step_on_disk, 500);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(TrainRuns, OfTwoThatSaveAtOnceNoneIsLost) {
  for (int round = 0; round < 40; ++round) {
    const bool history = round % 2 == 1;
    const TemporaryFolder folder;
    dispersion::Run first;
    std::thread other([&] { first = trained_into(folder, other_recipe(), 3, history); });
    const dispersion::Run second = trained_into(folder, Recipe(), 3, history);
    other.join();
    EXPECT_EQ(first.moved.empty() + second.moved.empty(), 1);
    EXPECT_EQ(load_checkpoint(first.file).recipe, other_recipe());
    EXPECT_EQ(load_checkpoint(second.file).recipe, Recipe());
    for (const dispersion::Run& run : {first, second})
      EXPECT_EQ(std::filesystem::exists(history_path(run.file)), history);
    EXPECT_EQ(folder.entries(), history ? 4 : 2);
  }
}

// A folder that is gone for a while stands in for a disk that is full for a while.
TEST(TrainRuns, ASaveThatFailsIsTriedAgainAtTheNext) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "runs");
  FakeBackend backend(std::make_shared<FakeControl>());
  std::vector<std::string> warnings;
  TrainingPlan plan{Recipe(), 1000, 100, false, 1};
  plan.warn = [&](const std::string& text) { warnings.push_back(text); };
  std::vector<dispersion::Run> runs = {{folder / "runs/seed3.safetensors", small_state(3), -1}};
  train_runs(backend, plan, runs, [&](const TrainingProgress& now) {
    if (now.steps_done == 100) std::filesystem::rename(folder / "runs", folder / "away");
    if (now.steps_done == 500) {
      std::filesystem::rename(folder / "away", folder / "runs");
      EXPECT_EQ(load_checkpoint(folder / "runs/seed3.safetensors").state.step, 100);
    }
    return true;
  });
  EXPECT_EQ(runs[0].failure, "");
  EXPECT_EQ(load_checkpoint(folder / "runs/seed3.safetensors").state.step, 1000);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(contains(warnings[0], "seed3.safetensors: ")) << warnings[0];
  EXPECT_TRUE(contains(warnings[0], "; training goes on, and the next save tries again"));
}

TEST(TrainRuns, WhatCannotBeSavedAtTheEndGoesToTheSecondPlace) {
  const TemporaryFolder folder;
  FakeBackend backend(std::make_shared<FakeControl>());
  TrainingPlan plan{Recipe(), 100, 0, true, 1};
  plan.second_place = folder / "state/runs";
  std::vector<dispersion::Run> runs = {{folder / "gone/seed3.safetensors", small_state(3), -1}};
  train_runs(backend, plan, runs, always);
  EXPECT_EQ(runs[0].file, folder / "state/runs/seed3-step100.safetensors");
  EXPECT_EQ(load_checkpoint(runs[0].file).state.step, 100);
  EXPECT_FALSE(read_history(folder / "state/runs/seed3-step100.history.csv").empty());
  EXPECT_TRUE(contains(runs[0].failure, "gone/seed3.")) << runs[0].failure;
  EXPECT_TRUE(contains(runs[0].failure, "; step 100 is kept in " + runs[0].file.string()));

  // The second place takes nothing either.
  plan.second_place = folder / "state/runs/seed3-step100.safetensors/below";
  runs = {{folder / "gone/seed3.safetensors", small_state(3), -1}};
  train_runs(backend, plan, runs, always);
  EXPECT_TRUE(contains(runs[0].failure, "; step 100 is lost, since")) << runs[0].failure;
  EXPECT_EQ(runs[0].step_on_disk, -1);
}

TEST(TrainRuns, ACheckpointSaysWhatHasComputedIt) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "seed3.safetensors";
  const auto control = std::make_shared<FakeControl>();
  FakeBackend device(control, "CUDA device 0, pretended");
  const TrainingPlan plan{Recipe(), 1000, 100, false, 1};
  std::vector<dispersion::Run> runs = {{file, small_state(3), -1}};
  control->lose_at = 250;
  train_runs(device, plan, runs, always);
  EXPECT_EQ(load_checkpoint(file).metadata.at("backend"), "CUDA device 0, pretended");

  FakeBackend cpu(std::make_shared<FakeControl>(), "CPU, pretended");
  ResumedRuns resumed = resume_runs(file, 1000, {});
  train_runs(cpu, plan, resumed.runs, always);
  const std::string both = "CUDA device 0, pretended to step 200; then CPU, pretended";
  EXPECT_EQ(load_checkpoint(file).metadata.at("backend"), both);

  // What goes on with the same backend adds nothing.
  resumed = resume_runs(file, 1200, {});
  train_runs(cpu, {Recipe(), 1200, 100, false, 1}, resumed.runs, always);
  EXPECT_EQ(load_checkpoint(file).metadata.at("backend"), both);
}

TEST(TrainRuns, WhatEarlierVersionsSaidOfTheBackendIsNotBelieved) {
  EXPECT_EQ(backend_in_metadata({{"backend", "cpu"}}), "");
  EXPECT_EQ(backend_in_metadata({}), "");
  EXPECT_EQ(trained_by("", 0, "CPU"), "CPU");
  EXPECT_EQ(trained_by("", 70, "CPU"), "unknown to step 70; then CPU");
}

TEST(TrainRuns, SaysWhichStepsAreSavedOfSeveral) {
  TrainingEnd end;
  end.error = "it was lost";
  std::vector<dispersion::Run> runs(2);
  runs[0] = {"some/seed1.safetensors", small_state(1), 2000};
  runs[1] = {"some/seed2.safetensors", small_state(2), 1000};
  EXPECT_EQ(error_text(end, runs), "it was lost; step 1000 to 2000 is saved in some");
  for (dispersion::Run& run : runs)
    run.step_on_disk = -1;
  EXPECT_EQ(error_text(end, runs), "it was lost; nothing is saved");
}

}  // namespace
}  // namespace dispersion

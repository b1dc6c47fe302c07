// Which backend computes, changed while the run goes on, and what happens when its device is lost.
// There is no CUDA in here: the devices are fakes.

#include <cmath>
#include <iterator>
#include <utility>

#include "app/session/first_usable.h"
#include "core/cpu/cpu_backend.h"
#include "tests/backend_choices.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

TEST(BackendName, ReadsWhatItWrites) {
  for (const BackendChoice& choice : {kAutomatic, kCpu, kDevice0, kDevice1}) {
    EXPECT_EQ(parse_backend_name(backend_name(choice)), choice);
  }
  EXPECT_EQ(parse_backend_name("cuda"), kDevice0);
  for (const char* text : {"", "gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "cuda:1024"})
    EXPECT_EQ(parse_backend_name(text), std::nullopt) << text;
}

// A machine with a processor and one device, number 0.
class BackendChoiceTest : public SessionTest {
 protected:
  BackendSource source() {
    return {[this](const BackendChoice& choice) -> MadeBackend {
              if (choice == kDevice1) throw std::runtime_error("There is no device 1.");
              FirstUsable<Backend> found;
              if (choice != kCpu) {
                found = first_usable<Backend>(
                    1, [this](int, std::string& reason) -> std::unique_ptr<Backend> {
                      if (usable_) return std::make_unique<FakeBackend>(device_, "device 0");
                      reason = "The device is broken.";
                      return nullptr;
                    });
              }
              if (choice == kDevice0 && !found.backend) throw std::runtime_error(found.why_none);
              if (found.backend) return {std::move(found.backend), "", kDevice0};
              return {std::make_unique<FakeBackend>(control_, "processor"), found.why_none, kCpu};
            },
            [] { return std::vector<std::string>{"Fake device"}; }};
  }

  Session& open_on(const BackendChoice& choice) {
    session_ = std::make_unique<Session>(
        source(), weights_with_moments(3), "a test", [this] { ++wakes_; }, choice);
    return *session_;
  }

  testing::AssertionResult computes_on(const std::string& name) {
    return arrives([=, this] { return status_.backend == name; });
  }

  std::shared_ptr<FakeControl> device_ = std::make_shared<FakeControl>();
  std::atomic<bool> usable_{true};
};

TEST_F(BackendChoiceTest, AutomaticTakesTheDevice) {
  open_on(kAutomatic);
  ASSERT_TRUE(computes_on("device 0"));
  EXPECT_EQ(status_.choice, kAutomatic);
  EXPECT_EQ(status_.computing, kDevice0);
  EXPECT_EQ(status_.backend_note, "");
  EXPECT_EQ(status_.devices, std::vector<std::string>{"Fake device"});
  ASSERT_TRUE(status_.memory);
  EXPECT_EQ(status_.memory->free_bytes, 3'000'000'000U);
}

TEST_F(BackendChoiceTest, SaysWhyTheDeviceIsNotUsed) {
  usable_ = false;
  open_on(kAutomatic);
  ASSERT_TRUE(computes_on("processor"));
  EXPECT_EQ(status_.backend_note, "The device is broken.");
  EXPECT_FALSE(status_.memory);
}

TEST_F(BackendChoiceTest, StartsOnTheCpuWhereTheDeviceChosenIsNotThere) {
  open_on(kDevice1);
  ASSERT_TRUE(computes_on("processor"));
  EXPECT_EQ(status_.choice, kDevice1);
  EXPECT_EQ(status_.computing, kCpu);
  EXPECT_EQ(status_.backend_note, "There is no device 1.");
  EXPECT_EQ(status_.notice, "");
}

TEST_F(BackendChoiceTest, StartsOnTheCpuWhereTheDeviceDoesNotTakeTheHead) {
  device_->loads_to_refuse = 1;
  open_on(kAutomatic);
  ASSERT_TRUE(computes_on("processor"));
  EXPECT_EQ(status_.backend_note, "the fake refuses");
  EXPECT_TRUE(device_->destroyed);
}

TEST_F(BackendChoiceTest, TrainingGoesOnThroughASwitch) {
  device_->microseconds_per_step = 200;
  control_->microseconds_per_step = 200;
  Session& session = open_on(kDevice0);
  session.send(PlayCommand{.stop_at = 1'000'000});
  for (int i = 0; i < 3; ++i) {
    const std::int64_t step = status_.step;
    ASSERT_TRUE(arrives([&] { return status_.step > step + 20; }));
    session.send(UseBackendCommand{i % 2 == 0 ? kCpu : kDevice0});
    ASSERT_TRUE(computes_on(i % 2 == 0 ? "processor" : "device 0"));
    EXPECT_EQ(status_.memory.has_value(), i % 2 != 0);
  }
  session.send(PauseCommand{});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kPaused; }));
  const std::int64_t steps = status_.step;
  EXPECT_EQ(status_.choice, kCpu);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), static_cast<int>(steps)));
  ASSERT_EQ(std::ssize(records_), steps);
  for (std::size_t i = 0; i < records_.size(); ++i)
    ASSERT_EQ(records_[i].record.step, static_cast<std::int64_t>(i) + 1);
  EXPECT_TRUE(device_->destroyed);
  EXPECT_GT(device_->steps, 20);
  EXPECT_GT(control_->steps, 20);
}

TEST_F(BackendChoiceTest, ASwitchThatFailsChangesNothing) {
  control_->microseconds_per_step = 100;
  Session& session = open_on(kCpu);
  session.send(PlayCommand{.stop_at = 400});
  session.send(UseBackendCommand{kDevice1});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 1; }));
  EXPECT_FALSE(reports_[0].ok);
  EXPECT_EQ(reports_[0].text, "There is no device 1.");
  device_->loads_to_refuse = 1;
  session.send(UseBackendCommand{kDevice0});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 2; }));
  EXPECT_EQ(status_.choice, kCpu);
  EXPECT_EQ(status_.backend, "processor");
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 400));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 400));
  session.send(UseBackendCommand{kDevice0});
  ASSERT_TRUE(computes_on("device 0"));
  EXPECT_EQ(status_.phase, RunPhase::kFinished);
}

// Before there is a copy of a later step all steps are undone, and no curve is left of them.
TEST_F(BackendChoiceTest, ADeviceLostAtOnceLeavesNoCurve) {
  device_->lose_after = 1;  // the first slice is of one step
  Session& session = open_on(kAutomatic);
  const std::uint64_t run = status_.run;
  session.send(PlayCommand{.stop_at = 200});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  EXPECT_EQ(status_.step, 0);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 0));
  EXPECT_TRUE(std::isnan(status_.loss));
  EXPECT_GT(status_.run, run);
  for (const RunRecord& record : records_)
    EXPECT_LT(record.run, status_.run);
}

TEST_F(BackendChoiceTest, ALostDeviceIsSaidOnceAndTheCpuGoesOn) {
  device_->microseconds_per_step = 100;
  device_->lose_at = 6000;
  Session& session = open_on(kAutomatic);
  session.request(request(1, {16, 32}));
  session.send(PlayCommand{.stop_at = 6200});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  const std::int64_t kept = status_.step;
  EXPECT_GT(kept, 0);  // the newest copy is a fraction of a second old
  EXPECT_LT(kept, 6000);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), static_cast<int>(kept)));
  EXPECT_NE(status_.notice.find("device 0 was lost. Step "), std::string::npos) << status_.notice;
  // Whatever is asked for now, the device is left alone; what cannot be done says why.
  const std::string notice = status_.notice;
  const int calls = device_->calls_when_lost;
  session.send(PlayCommand{.stop_at = 6200});
  session.send(StepCommand{});
  session.request(request(2, {16, 32, 64}));
  session.send(SaveCommand{folder_ / "kept.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(status_.phase, RunPhase::kDeviceLost);
  EXPECT_EQ(status_.notice, notice);
  EXPECT_EQ(records_.back().record.step, kept);  // where the window's curves end
  // Of Play, of the step, of the save, and of the open that found no file.
  ASSERT_EQ(reports_.size(), 4u);
  for (const std::size_t refused : {0u, 1u}) {
    EXPECT_FALSE(reports_[refused].ok);
    EXPECT_EQ(reports_[refused].text, "the device is lost; let the CPU go on first");
  }
  EXPECT_TRUE(reports_[2].ok) << reports_[2].text;
  EXPECT_EQ(load_checkpoint(folder_ / "kept.safetensors").state.step, kept);
  EXPECT_EQ(device_->calls_when_lost, calls);

  session.send(GoOnWithCpuCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 6200));
  EXPECT_EQ(status_.backend, "processor");
  EXPECT_EQ(status_.choice, kAutomatic);
  EXPECT_EQ(status_.computing, kCpu);
  EXPECT_EQ(status_.notice, "");
  EXPECT_EQ(status_.backend_note,
            "device 0 was lost; the CPU computes until the program is started again.");
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 6200));
  EXPECT_TRUE(device_->destroyed);
  ASSERT_TRUE(arrives([&] { return view_ && view_->revision == 2 && view_->complete; }));
}

TEST_F(BackendChoiceTest, ADeviceLostWhileLookingLeavesTheRunPaused) {
  Session& session = open_on(kDevice0);
  ASSERT_TRUE(computes_on("device 0"));
  device_->lost = true;
  session.request(request(1, {16}));
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 1; }));
  EXPECT_EQ(status_.seed, 3u);
  // The chooser does as well as the notice's button.
  session.send(UseBackendCommand{kCpu});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kPaused; }));
  EXPECT_EQ(status_.choice, kCpu);
  EXPECT_EQ(status_.notice, "");
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  session.send(GoOnWithCpuCommand{});  // too late: nothing to do
  session.send(PlayCommand{.stop_at = 5});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 5));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 5));
}

TEST_F(BackendChoiceTest, ADeviceThatDoesNotTakeTheOldHeadBackCountsAsLost) {
  Session& session = open_on(kDevice0);
  session.send(PlayCommand{.stop_at = 40});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 40));
  device_->loads_to_refuse = 2;
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  EXPECT_EQ(status_.step, 40);
  session.send(GoOnWithCpuCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 40));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 40));
}

// The real thing: Adam's moments, the step, the seed and the points of the spectral path all go
// along, so that a run that changed hands twice is bit for bit the run that did not.
TEST_F(BackendChoiceTest, NothingOfARealRunIsLeftBehind) {
  constexpr int kSteps = 300;  // over step 256, where the points are chosen again
  Checkpoint start;
  start.recipe.batch_sets = 4;
  start.state = start_training(HeadShape(), 7);
  const auto reference = make_cpu_backend(1);
  reference->load(start.recipe, {start.state});
  std::vector<StepRecord> records;
  reference->train(kSteps, records);

  session_ = std::make_unique<Session>(
      BackendSource{[](const BackendChoice& choice) -> MadeBackend {
                      return {make_cpu_backend(choice == kCpu ? 1 : 2), ""};
                    },
                    [] { return std::vector<std::string>(2); }},
      start, "a test", [] {}, kCpu);
  for (const auto& [stop_at, choice] : {std::pair{100, kDevice0}, std::pair{260, kCpu}}) {
    const BackendChoice next = choice;  // clang 14 captures no structured binding
    session_->send(PlayCommand{.stop_at = stop_at});
    ASSERT_TRUE(arrives_at(RunPhase::kFinished, stop_at));
    session_->send(UseBackendCommand{next});
    ASSERT_TRUE(arrives([&] { return status_.choice == next; }));
  }
  session_->send(PlayCommand{.stop_at = kSteps});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, kSteps));
  EXPECT_EQ(status_.run_hash, run_hash(start.recipe, reference->state(0)));
}

}  // namespace
}  // namespace dispersion

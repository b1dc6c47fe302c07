// The session's worker on the CUDA backend of an emulated machine, whose device fails under it.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/chosen_backend.h"
#include "app/session/session.h"
#include "core/cpu/cpu_backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

constexpr int kStop = 12;

class DeviceLossTest : public testing::Test {
 protected:
  DeviceLossTest() {
    start_.recipe.batch_sets = 4;
    start_.state = start_training({}, 5);
  }

  void TearDown() override {
    session_.reset();
    emulation::reset_machine();
  }

  void open(const BackendChoice& choice) {
    session_ = std::make_unique<Session>(
        window_backends(), start_, "a test", [] {}, choice);
  }

  testing::AssertionResult arrives(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < limit) {
      if (auto status = session_->take_status()) status_ = *std::move(status);
      for (Report& report : session_->take_reports())
        reports_.push_back(report.text);
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure()
           << "still waiting at step " << status_.step << ": " << status_.notice;
  }

  Checkpoint start_;
  std::unique_ptr<Session> session_;
  RunStatus status_;
  std::vector<std::string> reports_;
};

TEST_F(DeviceLossTest, TheCpuGoesOnFromWhatWasKept) {
  emulation::machine().launches_to_loss = 18;  // two steps and a bit
  open({BackendChoice::Kind::kCuda, 0});
  session_->send(PlayCommand{.stop_at = kStop});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  EXPECT_EQ(status_.notice.find("CUDA device 0 was lost: unspecified launch failure. Step "), 0U)
      << status_.notice;
  EXPECT_LT(status_.step, 3);
  // What is kept is a true state of the run: the processor ends where it ends alone, but for the
  // rounding of the steps that the device did.
  session_->send(GoOnWithCpuCommand{});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kFinished; }));
  EXPECT_EQ(status_.step, kStop);
  EXPECT_TRUE(reports_.empty());
  const auto cpu = make_cpu_backend(1);
  cpu->load(start_.recipe, {start_.state});
  std::vector<StepRecord> records;
  cpu->train(kStop, records);
  const float loss = records.back().cross_entropy + records.back().l2;
  // As of expect_near_records (tests/training_checks.h), twice.
  EXPECT_NEAR(status_.loss, loss, 1e-6f * (2 + loss));
}

TEST_F(DeviceLossTest, AFullCardLeavesTheStartToTheCpu) {
  emulation::machine().other_bytes = emulation::machine().total_bytes - (std::size_t{65} << 20);
  open({BackendChoice::Kind::kCuda, 0});
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.backend.find("CPU"), 0U) << status_.backend;
  EXPECT_EQ(status_.backend_note.find("Training a head needs "), 0U) << status_.backend_note;
  // Once the other program has gone, the device takes over.
  emulation::machine().other_bytes = 0;
  session_->send(UseBackendCommand{{BackendChoice::Kind::kCuda, 0}});
  ASSERT_TRUE(arrives([&] { return status_.backend == "CUDA device 0, Emulated device"; }));
  EXPECT_EQ(status_.backend_note, "");
}

TEST_F(DeviceLossTest, WrongDeviceOldDeviceAndRecipesThatRoundAreNamed) {
  open({BackendChoice::Kind::kCuda, 3});
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.backend_note, "There is no CUDA device 3: this machine has one, 0.");
  session_.reset();
  emulation::machine().major = 6;
  status_ = {};
  open({BackendChoice::Kind::kCuda, 0});
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.backend_note,
            "Emulated device has compute capability 6.0; 7.5 or newer is needed.");
  session_.reset();
  emulation::reset_machine();
  status_ = {};
  start_.recipe.precision = Precision::kBf16;
  start_.recipe.path = HeadPath::kDirect;
  open({BackendChoice::Kind::kCuda, 0});
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.backend_note,
            "This recipe rounds, which only the CPU does: the head is trained there.");
}

// A call of the runtime fails: the worker lives, the head is kept, nothing is tried for ever, and
// the run can be brought to its end.
class FailingDeviceTest : public DeviceLossTest,
                          public testing::WithParamInterface<emulation::Failure> {
 protected:
  static constexpr int kSteps = 2;

  FailingDeviceTest() {
    start_.recipe.batch_sets = 1;
    start_.recipe.largest_set = 6;
  }

  void begin() {
    reports_.clear();
    status_ = {};
    open({BackendChoice::Kind::kCuda, 0});
    session_->request({.revision = 1, .sizes = {4}});
    session_->send(PlayCommand{.stop_at = kSteps});
  }

  // Between two looks the worker asks nothing of the device, but for how full it is.
  testing::AssertionResult falls_still() {
    int before = -1;
    return arrives([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return std::exchange(before, emulation::calls_made()) == before;
    });
  }

  // The hash of an undisturbed run that does its first steps on the device and the others on the
  // CPU.
  std::string hash_after(int on_device, int on_cpu) const {
    std::vector<StepRecord> records;
    std::string reason;
    const auto device = make_cuda_backend(0, DeviceUse::kForeground, reason);
    device->load(start_.recipe, {start_.state});
    device->train(on_device, records);
    const auto cpu = make_cpu_backend(1);
    cpu->load(start_.recipe, {device->state(0)});
    cpu->train(on_cpu, records);
    return run_hash(start_.recipe, cpu->state(0));
  }

  // What was kept is right. Of all steps the device does those that were kept when it was lost,
  // none where it could not be had, and else all.
  void bring_to_the_end() {
    const auto kept = static_cast<std::size_t>(status_.step);
    ASSERT_LE(kept, kSteps);
    const bool on_cpu = status_.backend.starts_with("CPU");
    const bool lost = status_.phase == RunPhase::kDeviceLost;
    if (lost) {
      EXPECT_EQ(status_.hash_step, status_.step);
    }
    if (!on_cpu) {
      const auto hashed = static_cast<std::size_t>(status_.hash_step);
      EXPECT_EQ(status_.run_hash, kept_[hashed]) << "kept at step " << hashed;
    }
    if (lost) session_->send(GoOnWithCpuCommand{});
    session_->send(PlayCommand{.stop_at = kSteps});
    ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kFinished; }));
    EXPECT_EQ(status_.step, kSteps);
    ASSERT_TRUE(arrives([&] { return status_.hash_step == kSteps; }));
    const std::size_t on_device = lost ? kept : on_cpu ? 0 : kSteps;
    EXPECT_EQ(status_.run_hash, ended_[on_device]) << on_device << " steps on the device";
  }

  // About so many of the calls that a session makes, one by one.
  void fail_calls(int count) {
    const bool runs_kernels = emulation::machine().runs_kernels;
    for (int step = 0; step <= kSteps; ++step) {
      kept_.push_back(hash_after(step, 0));
      ended_.push_back(hash_after(step, kSteps - step));
    }
    const int calls_before = emulation::calls_made();
    begin();
    ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kFinished; }));
    ASSERT_TRUE(falls_still());
    const int calls = emulation::calls_made() - calls_before;
    session_.reset();
    ASSERT_GE(calls, count);
    const int between = calls / count;
    const int first = static_cast<int>(GetParam()) * between / 3;
    for (int call = first; call < calls; call += between) {
      emulation::reset_machine();
      emulation::machine().runs_kernels = runs_kernels;
      emulation::machine().calls_to_failure = call;
      emulation::machine().failure = GetParam();
      begin();
      ASSERT_TRUE(arrives([&] {
        return !status_.backend.empty() && status_.phase != RunPhase::kTraining;
      })) << call;
      ASSERT_TRUE(falls_still()) << call;
      bring_to_the_end();
      session_.reset();
      EXPECT_EQ(emulation::bytes_held(), 0U);
      EXPECT_EQ(emulation::take_guard_report(), "");
      if (HasFailure()) FAIL() << "call " << call << ", " << emulation::failed_call();
    }
  }

  // Of undisturbed runs, by the steps on the device: there, and at the end, on the CPU.
  std::vector<std::string> kept_;
  std::vector<std::string> ended_;
};

// Where the backend is made, the head is loaded, steps and frames are computed. With the kernels a
// session takes seconds here.
TEST_P(FailingDeviceTest, IsSurvivedByTheSession) {
  fail_calls(4);
}

// Without the kernels weights stay as they are on the device.
TEST_P(FailingDeviceTest, IsSurvivedByTheSessionAtMoreCalls) {
  emulation::machine().runs_kernels = false;
  fail_calls(80);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FailingDeviceTest,
                         testing::Values(emulation::Failure::kOrdinary,
                                         emulation::Failure::kOutOfMemory,
                                         emulation::Failure::kSticky));

}  // namespace
}  // namespace dispersion

// The session's worker on the CUDA backend of an emulated machine, whose device fails under it.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "core/cpu/cpu_backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

constexpr int kStop = 12;

BackendSource emulated_machine() {
  return {[](const BackendChoice& choice) -> MadeBackend {
            if (choice.kind == BackendChoice::Kind::kCpu) return {make_cpu_backend(1), ""};
            std::string reason;
            auto backend = make_cuda_backend(choice.device, DeviceUse::kForeground, reason);
            if (!backend) throw std::runtime_error(reason);
            return {std::move(backend), ""};
          },
          cuda_device_names};
}

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
        emulated_machine(), start_, "a test", [] {}, choice);
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

  void bring_to_the_end() {
    if (status_.phase == RunPhase::kDeviceLost) {
      EXPECT_NE(status_.notice.find(" is kept."), std::string::npos) << status_.notice;
      session_->send(GoOnWithCpuCommand{});
    }
    session_->send(PlayCommand{.stop_at = kSteps});
    ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kFinished; }));
    EXPECT_EQ(status_.step, kSteps);
  }
};

TEST_P(FailingDeviceTest, IsSurvivedByTheSession) {
  begin();
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kFinished; }));
  ASSERT_TRUE(falls_still());
  const int calls = emulation::calls_made();
  session_.reset();
  // A session takes seconds here. Where the backend is made, the head is loaded, steps and frames
  // are computed.
  const int step = calls / 4;
  const int first = static_cast<int>(GetParam()) * step / 3;
  for (int call = first; call < calls; call += step) {
    emulation::reset_machine();
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

INSTANTIATE_TEST_SUITE_P(Kinds, FailingDeviceTest,
                         testing::Values(emulation::Failure::kOrdinary,
                                         emulation::Failure::kOutOfMemory,
                                         emulation::Failure::kSticky));

}  // namespace
}  // namespace dispersion

// Every call of the CUDA runtime fails in turn, in each way: the backend says what happened, gives
// back its memory, and works again where the device was not lost.

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"
#include "tests/gpu/backend_scenario.h"

namespace dispersion {
namespace {

using emulation::Failure;

// What is free of a device where two sets fit at a time: what the backend leaves to others, and
// what the scenario takes to train and then to evaluate, from 7.15 to 7.65 MB.
constexpr std::size_t kScarceBytes = (std::size_t{64} << 20) + 7'400'000;

class FailingCalls : public testing::TestWithParam<Failure> {
 protected:
  void SetUp() override { emulation::reset_machine(); }  // calls are counted

  void TearDown() override {
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }

  // One kind of failure is met in the background, which makes the same calls.
  static DeviceUse use() {
    return GetParam() == Failure::kOrdinary ? DeviceUse::kBackground : DeviceUse::kForeground;
  }

  // So that an evaluation takes parts.
  static void make_memory_scarce() {
    emulation::machine().other_bytes = emulation::machine().total_bytes - kScarceBytes;
  }

  static int calls_of_scenario() {
    Scenario scenario(use(), AttentionNumbers::kBf16);
    EXPECT_TRUE(scenario.make()) << scenario.why;
    scenario.work();
    return emulation::calls_made();
  }

  void check_text(const std::string& text) {
    switch (GetParam()) {
      case Failure::kOrdinary:
        EXPECT_NE(text.find("invalid argument"), std::string::npos) << text;
        break;
      case Failure::kOutOfMemory:
        EXPECT_NE(text.find("memory"), std::string::npos) << text;
        break;
      case Failure::kSticky:
        EXPECT_NE(text.find("unspecified launch failure"), std::string::npos) << text;
        break;
    }
  }

  // Whether nobody needs to hear of the failure: what is to be freed is gone, whatever the call
  // says, and a stream's destructor, which waits for its work and then destroys it, has nobody to
  // tell. All others must be heard of.
  static bool may_go_unheard() {
    const std::string call = emulation::failed_call();
    return call.starts_with("cudaFree") || call.ends_with("Destroy") ||
           (call == "cudaStreamSynchronize" &&
            emulation::call_after_failure() == "cudaStreamDestroy");
  }

  // What the failing call of a scenario leads to; the scenario goes on where it can.
  void fail(Scenario& scenario, int call, const ScenarioResult* expected) {
    emulation::machine().calls_to_failure = call;
    emulation::machine().failure = GetParam();
    if (!scenario.make()) {
      ++met_;
      return check_text(scenario.why);
    }
    bool failed = false;
    try {
      scenario.work();
    } catch (const DeviceLost& error) {
      failed = true;
      EXPECT_EQ(GetParam(), Failure::kSticky) << error.what();
      check_text(error.what());
    } catch (const std::runtime_error& error) {
      failed = true;
      EXPECT_NE(GetParam(), Failure::kSticky) << error.what();
      check_text(error.what());
    }
    // Points are chosen beside the steps, so that now and then there are fewer calls.
    if (emulation::failed_call().empty()) return;
    ++met_;
    EXPECT_TRUE(failed || may_go_unheard()) << "then " << emulation::call_after_failure();
    if (GetParam() == Failure::kSticky) {
      if (failed) {
        EXPECT_THROW(scenario.work(), DeviceLost);
      }
      return;
    }
    const ScenarioResult again = scenario.work();
    if (expected != nullptr) {
      EXPECT_EQ(again, *expected);
    }
  }

  int met_ = 0;  // failures that the scenario came to
};

// The host's part of it, for every call. The kernels do nothing, so that it takes seconds.
TEST_P(FailingCalls, AreSurvived) {
  emulation::machine().runs_kernels = false;
  const int calls_with_room = calls_of_scenario();
  emulation::reset_machine();
  emulation::machine().runs_kernels = false;
  make_memory_scarce();
  const int calls = calls_of_scenario();
  EXPECT_GT(calls, calls_with_room);
  EXPECT_GT(calls, 200);
  for (int call = 0; call < calls; ++call) {
    emulation::reset_machine();
    make_memory_scarce();
    emulation::machine().runs_kernels = false;
    emulation::machine().delay_seed = static_cast<std::uint32_t>(call) + 1;
    {
      Scenario scenario(use(), AttentionNumbers::kBf16);
      fail(scenario, call, nullptr);
    }
    const std::string which = "call " + std::to_string(call) + ", " + emulation::failed_call();
    EXPECT_EQ(emulation::bytes_held(), 0U) << which;
    EXPECT_EQ(emulation::take_guard_report(), "") << which;
    if (HasFailure()) FAIL() << which;
  }
  EXPECT_GT(met_, calls * 9 / 10);
}

// After a sticky failure nothing goes on.
class FailingCallsThatPass : public FailingCalls {};

// What the device did before a failure in the middle of training is not known, so it is not given
// away as a state; a load makes it known again.
TEST_P(FailingCallsThatPass, AHalfTrainedHeadIsNotGivenAway) {
  constexpr int kSteps = 130;  // the points are chosen anew on the way
  Recipe recipe;
  recipe.batch_sets = 1;
  recipe.smallest_set = 1;
  recipe.largest_set = 2;
  const TrainingState start = start_training({}, 3);
  std::vector<StepRecord> records;
  int failures = 0;
  for (int call = 0;; ++call) {
    emulation::reset_machine();
    emulation::machine().runs_kernels = false;
    std::string why;
    const auto backend = make_cuda_backend(0, DeviceUse::kForeground, why);
    ASSERT_NE(backend, nullptr) << why;
    backend->load(recipe, {start});
    emulation::machine().failure = GetParam();
    emulation::machine().calls_to_failure = call;
    try {
      backend->train(kSteps, records);
      if (emulation::failed_call().empty()) break;  // all calls have had their turn
      EXPECT_TRUE(may_go_unheard()) << emulation::failed_call();
      continue;
    } catch (const std::runtime_error&) {
    }
    const std::string which = "call " + std::to_string(call) + ", " + emulation::failed_call();
    if (emulation::failed_call() == "cudaSetDevice") continue;  // nothing has begun
    ++failures;
    EXPECT_THROW(backend->state(0), std::runtime_error) << which;
    EXPECT_THROW(backend->train(1, records), std::runtime_error) << which;
    backend->load(recipe, {start});
    EXPECT_EQ(backend->train(kSteps, records).steps_done, kSteps) << which;
    EXPECT_EQ(backend->state(0).step, kSteps) << which;
    if (HasFailure()) FAIL() << which;
  }
  EXPECT_GT(failures, 10);
}

// With the kernels: whoever goes on after a failure computes the same.
TEST_P(FailingCallsThatPass, LeaveNothingWrong) {
  Scenario undisturbed(DeviceUse::kForeground, AttentionNumbers::kBf16);
  ASSERT_TRUE(undisturbed.make());
  const ScenarioResult expected = undisturbed.work();
  const int calls = emulation::calls_made();
  for (int call = 5; call < calls; call += calls / 12) {
    emulation::reset_machine();
    Scenario scenario(use(), AttentionNumbers::kBf16);
    fail(scenario, call, &expected);
    if (HasFailure()) FAIL() << "call " << call << ", " << emulation::failed_call();
  }
  EXPECT_GE(met_, 10);  // of 12 or 13
}

std::string kind_name(const testing::TestParamInfo<Failure>& kind) {
  switch (kind.param) {
    case Failure::kOrdinary:
      return "Ordinary";
    case Failure::kOutOfMemory:
      return "OutOfMemory";
    default:
      return "Sticky";
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, FailingCalls,
                         testing::Values(Failure::kOrdinary, Failure::kOutOfMemory,
                                         Failure::kSticky),
                         kind_name);
INSTANTIATE_TEST_SUITE_P(Kinds, FailingCallsThatPass,
                         testing::Values(Failure::kOrdinary, Failure::kOutOfMemory), kind_name);

}  // namespace
}  // namespace dispersion

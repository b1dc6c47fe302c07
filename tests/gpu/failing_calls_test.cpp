// Every call of the CUDA runtime fails in turn, in each way: the backend says what happened, gives
// back its memory, and works again where the device was not lost.

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "core/backend.h"
#include "faults.h"
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

  // What the failing call of a scenario leads to; the scenario goes on where it can.
  void fail(Scenario& scenario, int call, const ScenarioResult* expected) {
    emulation::machine().calls_to_failure = call;
    emulation::machine().failure = GetParam();
    if (!scenario.make()) return;
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
}

// After a sticky failure nothing goes on.
class FailingCallsThatPass : public FailingCalls {};

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

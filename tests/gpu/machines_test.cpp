// The backend on every kind of device, whenever its work is done, and with several users at once.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "faults.h"
#include "gpu/cuda_backend.h"
#include "tests/gpu/backend_scenario.h"

namespace dispersion {
namespace {

class Machines : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(emulation::take_guard_report(), "");
    EXPECT_EQ(emulation::bytes_held(), 0U);
    emulation::reset_machine();
  }

  static ScenarioResult result() {
    Scenario scenario;
    EXPECT_TRUE(scenario.make()) << scenario.why;
    return scenario.work();
  }
};

TEST_F(Machines, EveryKindOfDeviceGivesTheSameBits) {
  const ScenarioResult usual = result();
  for (const emulation::Profile& profile : emulation::profiles()) {
    emulation::machine() = emulation::machine_like(profile);
    EXPECT_EQ(result(), usual) << profile.name;
  }
}

// 0: at once.
TEST_F(Machines, WhenWorkIsDoneChangesNoBit) {
  emulation::machine().delay_seed = 0;
  const ScenarioResult at_once = result();
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    emulation::machine().delay_seed = seed;
    EXPECT_EQ(result(), at_once) << "seed " << seed;
  }
}

TEST_F(Machines, SeveralUsersAtOnceDoNotDisturbOneAnother) {
  const ScenarioResult alone = result();
  std::vector<ScenarioResult> results(3);
  {
    std::vector<std::jthread> users;
    for (ScenarioResult& to : results)
      users.emplace_back([&to] { to = result(); });
  }
  for (const ScenarioResult& user : results)
    EXPECT_EQ(user, alone);
}

TEST_F(Machines, AProgramWithoutCodeForTheDeviceSaysSo) {
  emulation::machine().major = 8;
  emulation::machine().minor = 6;
  std::string why;
  EXPECT_EQ(make_cuda_backend(0, DeviceUse::kForeground, why), nullptr);
  EXPECT_EQ(why, "This program has no code for Emulated device, which has compute capability 8.6.");
  EXPECT_EQ(make_cuda_sequence_backend(0, DeviceUse::kForeground, why), nullptr);
  EXPECT_NE(why.find("no code for Emulated device"), std::string::npos) << why;
}

}  // namespace
}  // namespace dispersion

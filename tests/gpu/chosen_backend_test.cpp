// Which of several emulated devices the program takes.

#include "app/commands/chosen_backend.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "faults.h"
#include "tests/backend_choices.h"

namespace dispersion {
namespace {

constexpr const char* kTooOld =
    "Emulated device has compute capability 6.0; 7.5 or newer is needed.";

class ChosenBackend : public testing::Test {
 protected:
  ChosenBackend() { emulation::machine().devices = 2; }
  void TearDown() override { emulation::reset_machine(); }

  // Both kinds of backends, made as chosen, compute there.
  static void expect_on(const BackendChoice& choice, const BackendChoice& computing,
                        const std::string& note, const std::string& name) {
    const MadeBackend made = make_chosen(choice, 1);
    EXPECT_EQ(made.computing, computing);
    EXPECT_EQ(made.note, note);
    EXPECT_EQ(made.backend->description().find(name), 0U) << made.backend->description();
    EXPECT_EQ(make_chosen_sequences(choice, 1)->description(), name);
  }

  template <class Make>
  static std::string refused(Make make) {
    try {
      make();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ChosenBackend, AutomaticTakesTheFirstDeviceThatCanBeUsed) {
  expect_on(kAutomatic, kDevice0, "", "CUDA device 0, Emulated device");
  emulation::machine().old_devices = 1;
  expect_on(kAutomatic, kDevice1, "", "CUDA device 1, Emulated device");
}

TEST_F(ChosenBackend, AutomaticTakesTheCpuWhereNoDeviceCanBeUsed) {
  emulation::machine().old_devices = 2;
  expect_on(kAutomatic, kCpu, kTooOld, "CPU");
  emulation::machine().driver_version = 0;
  expect_on(kAutomatic, kCpu, "No CUDA driver is installed.", "CPU");
}

TEST_F(ChosenBackend, WhatIsNamedIsTakenOrRefused) {
  expect_on(kCpu, kCpu, "", "CPU");
  expect_on(kDevice1, kDevice1, "", "CUDA device 1, Emulated device");
  emulation::machine().old_devices = 1;
  EXPECT_EQ(refused([] { make_chosen(kDevice0, 1); }), kTooOld);
  EXPECT_EQ(refused([] { make_chosen_sequences(kDevice0, 1); }), kTooOld);
}

TEST_F(ChosenBackend, ExperimentsComputeWhereTheWindowDoes) {
  const BackendFactories make = experiment_backends();
  emulation::machine().old_devices = 1;
  EXPECT_EQ(make.backend(kDevice1)->description(), "CUDA device 1, Emulated device");
  EXPECT_EQ(make.sequence_backend(kDevice1)->description(), "CUDA device 1, Emulated device");
  EXPECT_EQ(refused([&] { make.backend(kDevice0); }), kTooOld);
  EXPECT_EQ(refused([&] { make.sequence_backend(kDevice0); }), kTooOld);
  EXPECT_EQ(make.sequence_backend(kCpu)->description(), "CPU");
}

}  // namespace
}  // namespace dispersion

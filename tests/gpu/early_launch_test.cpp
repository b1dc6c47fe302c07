// Kernels that begin before the kernel before them is through, as early as a device may let them:
// they wait before they read what it writes.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/head/training_state.h"
#include "early_launch.h"
#include "faults.h"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/stream.h"
#include "gpu/training/cuda_trainer.h"

namespace dispersion {
namespace {

__global__ void writing_kernel(float* numbers) {
  wait_for_kernel_before();
  numbers[threadIdx.x] = static_cast<float>(threadIdx.x + 1);
}

// What every thread finds before it waits, and after.
__global__ void reading_kernel(const float* numbers, float* before, float* after) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  before[i] = numbers[threadIdx.x];
  wait_for_kernel_before();
  after[i] = numbers[threadIdx.x];
}

class EarlyLaunch : public testing::Test {
 protected:
  void SetUp() override { emulation::set_begins_early(true); }
  void TearDown() override {
    emulation::set_begins_early(false);
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }
};

TEST_F(EarlyLaunch, WhatIsReadBeforeTheWaitIsOld) {
  constexpr unsigned kThreads = 32;
  constexpr unsigned kBlocks = 3;
  Stream stream;
  const DeviceBuffer<float> numbers(kThreads);
  const DeviceBuffer<float> before(kBlocks * kThreads);
  const DeviceBuffer<float> after(kBlocks * kThreads);
  for (const bool early : {false, true}) {
    stream.fill_zero(numbers.data(), kThreads * sizeof(float));
    const Graph graph = stream.record([&] {
      stream.launch(writing_kernel, {dim3(1), dim3(kThreads)}, numbers.data());
      stream.launch(reading_kernel, {.grid = kBlocks, .block = kThreads, .early = early},
                    numbers.data(), before.data(), after.data());
    });
    stream.launch(graph);
    std::vector<float> found(kBlocks * kThreads);
    std::vector<float> waited(kBlocks * kThreads);
    stream.download<float>(before.data(), found);
    stream.download<float>(after.data(), waited);
    stream.synchronise();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto written = static_cast<float>(i % kThreads + 1);
      EXPECT_EQ(found[i], early ? 0 : written);
      EXPECT_EQ(waited[i], written);
    }
  }
}

class EarlyTraining : public EarlyLaunch, public testing::WithParamInterface<HeadPath> {};

// Two heads, and steps enough that every kernel follows every other that it may follow.
TEST_P(EarlyTraining, IsTheSame) {
  Recipe recipe;
  recipe.path = GetParam();
  recipe.batch_sets = 3;
  recipe.largest_set = 6;
  const auto trained = [&](bool early) {
    emulation::set_begins_early(early);
    CudaTrainer trainer(recipe, {start_training({}, 3), start_training({}, 5)});
    std::vector<StepRecord> records;
    EXPECT_EQ(trainer.train(2, records).steps_done, 2);
    EXPECT_EQ(trainer.state(0).item_points > 0, recipe.path == HeadPath::kSpectral);
    return run_hash(recipe, trainer.state(0)) + run_hash(recipe, trainer.state(1));
  };
  EXPECT_EQ(trained(true), trained(false));
}

INSTANTIATE_TEST_SUITE_P(Paths, EarlyTraining,
                         testing::Values(HeadPath::kSpectral, HeadPath::kDirect),
                         [](const auto& path) { return std::string(head_path_name(path.param)); });

}  // namespace
}  // namespace dispersion

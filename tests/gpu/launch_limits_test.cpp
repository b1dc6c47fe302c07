// The emulation refuses what a device refuses, and says which kernel asked for too much.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "faults.h"
#include "gpu/kernels/probe.h"
#include "gpu/kernels/training_kernels.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/stream.h"
#include "gpu/training/training_memory.h"

namespace dispersion {
namespace {

__global__ void one_kernel(float* numbers) {
  numbers[threadIdx.x] = 1;
}

__global__ void four_at_once_kernel(float* numbers) {
  *reinterpret_cast<float4*>(numbers + threadIdx.x) = {1, 2, 3, 4};
}

// Named as a kernel of the lab, whose limits are its own then.
__global__ void transpose_kernel(float* numbers) {
  numbers[threadIdx.x] = 1;
}

class LaunchLimits : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }

  template <class Use>
  static std::string refused(Use use) {
    try {
      use();
    } catch (const CudaError& error) {
      return error.reason();
    }
    return "";
  }

  std::string launched(dim3 grid, dim3 block, std::size_t shared = 0) {
    return refused([&] {
      stream_.launch(one_kernel, {grid, block, shared}, memory_.data());
      stream_.synchronise();
    });
  }

  // Of a kernel of the lab.
  std::string trained() {
    Recipe recipe;
    recipe.batch_sets = 1;
    const TrainingMemory memory(recipe, 1);
    return refused([&] {
      launch_networks(stream_, memory.group());
      stream_.synchronise();
    });
  }

  Stream stream_;
  DeviceBuffer<float> memory_{1024};
};

TEST_F(LaunchLimits, Grids) {
  emulation::machine().runs_kernels = false;
  EXPECT_EQ(launched(dim3(0), dim3(32)),
            "invalid configuration argument (one_kernel: a grid of 0 x 1 x 1; from 1 to 2147483647 "
            "x 65535 x 65535 are allowed)");
  EXPECT_NE(launched(dim3(1, 0), dim3(32)), "");
  EXPECT_NE(launched(dim3(1, 1, 0), dim3(32)), "");
  EXPECT_EQ(launched(dim3(0x7fffffffu), dim3(32)), "");
  EXPECT_NE(launched(dim3(0x80000000u), dim3(32)), "");
  EXPECT_EQ(launched(dim3(1, 65535, 65535), dim3(32)), "");
  EXPECT_NE(launched(dim3(1, 65536), dim3(32)), "");
  EXPECT_NE(launched(dim3(1, 1, 65536), dim3(32)), "");
}

TEST_F(LaunchLimits, Blocks) {
  EXPECT_EQ(launched(dim3(1), dim3(1024)), "");
  EXPECT_EQ(launched(dim3(1), dim3(1025)),
            "invalid configuration argument (one_kernel: a block of 1025 x 1 x 1; at most 1024 "
            "threads are allowed)");
  EXPECT_NE(launched(dim3(1), dim3(0)), "");
  EXPECT_NE(launched(dim3(1), dim3(64, 32)), "");
  EXPECT_NE(launched(dim3(1), dim3(1, 1, 65)), "");
}

TEST_F(LaunchLimits, LaunchBounds) {
  const auto launched_with = [&](unsigned threads) {
    return refused([&] {
      stream_.launch(transpose_kernel, {dim3(1), dim3(threads / 2, 2)}, memory_.data());
      stream_.synchronise();
    });
  };
  EXPECT_EQ(launched_with(kWidth), "");
  EXPECT_EQ(launched_with(kWidth + 2),
            "invalid argument (transpose_kernel: 130 threads; its launch bounds allow 128)");
}

TEST_F(LaunchLimits, Registers) {
  EXPECT_EQ(trained(), "");
  emulation::machine().registers = 4096;
  const std::string why = trained();
  EXPECT_EQ(why.find("too many resources requested for launch (networks_kernel: "), 0U) << why;
  EXPECT_NE(why.find(" registers; a block has 4096)"), std::string::npos) << why;
}

TEST_F(LaunchLimits, StaticSharedMemory) {
  emulation::machine().shared_bytes = 1024;
  const std::string why = trained();
  EXPECT_EQ(why.find("invalid argument (networks_kernel: "), 0U) << why;
  EXPECT_NE(why.find(" bytes of static and 0 of dynamic shared memory"), std::string::npos) << why;
}

// A stream asks for its kernels.
TEST_F(LaunchLimits, DynamicSharedMemory) {
  EXPECT_EQ(launched(dim3(1), dim3(64), 227 * 1024), "");
  EXPECT_EQ(launched(dim3(1), dim3(64), 227 * 1024 + 1),
            "invalid argument (one_kernel: 0 bytes of static and 232449 of dynamic shared memory; "
            "it asked for 232448)");
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  config.dynamicSmemBytes = 48 * 1024 + 1;
  config.stream = stream_.get();
  EXPECT_EQ(cudaLaunchKernelEx(&config, four_at_once_kernel, memory_.data()),
            cudaErrorInvalidValue);
  config.dynamicSmemBytes = 48 * 1024;
  EXPECT_EQ(cudaLaunchKernelEx(&config, four_at_once_kernel, memory_.data()), cudaSuccess);
}

// Two streams, of which the second asks for less than the first has been given.
TEST_F(LaunchLimits, AStreamDoesNotTakeAwayWhatAnotherWasAllowed) {
  Stream other;
  EXPECT_EQ(launched(dim3(1), dim3(64), 200 * 1024), "");
  other.launch(one_kernel, {dim3(1), dim3(64), 60 * 1024}, memory_.data());
  other.synchronise();
  EXPECT_EQ(launched(dim3(1), dim3(64), 200 * 1024), "");
}

TEST_F(LaunchLimits, KernelsForNewerDevices) {
  emulation::machine().major = 8;
  EXPECT_EQ(launched(dim3(1), dim3(1)), "no kernel image is available for execution on the device");
}

TEST_F(LaunchLimits, KernelsBeginEarlyOnlyWhereTheyWait) {
  EXPECT_TRUE(can_launch_early());
  emulation::machine().compiled_for = 80;  // which a driver translates for the device
  EXPECT_FALSE(can_launch_early());
  emulation::reset_machine();
  emulation::machine().driver_version = 12020;
  EXPECT_FALSE(can_launch_early());
}

using LaunchLimitsDeathTest = LaunchLimits;

TEST_F(LaunchLimitsDeathTest, MisalignedVectors) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  stream_.launch(four_at_once_kernel, {dim3(1), dim3(1)}, memory_.data());
  stream_.synchronise();
  EXPECT_DEATH(
      {
        stream_.launch(four_at_once_kernel, {dim3(1), dim3(1)}, memory_.data() + 1);
        stream_.synchronise();
      },
      "misaligned address");
}

}  // namespace
}  // namespace dispersion

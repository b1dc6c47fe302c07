// The emulation itself: what it must find, it finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "faults.h"
#include "fibres.h"
#include "gpu/kernels/block.cuh"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/stream.h"

namespace dispersion {
namespace {

class Emulation : public testing::Test {
 protected:
  void TearDown() override {
    emulation::set_order(emulation::Order::kForward);
    emulation::reset_machine();
    emulation::take_guard_report();
  }

  std::string refused(void (*kernel)(float*), unsigned threads) {
    try {
      stream_.launch(kernel, {dim3(1), dim3(threads)}, memory_.data());
      stream_.synchronise();
    } catch (const CudaError& error) {
      return error.what();
    }
    return "";
  }

  std::vector<float> numbers() {
    std::vector<float> to(memory_.size());
    stream_.download<float>(memory_.data(), to);
    stream_.synchronise();
    return to;
  }

  Stream stream_;
  DeviceBuffer<float> memory_{256};
};

__global__ void reverse_kernel(float* numbers) {
  __shared__ float shared[64];
  shared[threadIdx.x] = numbers[threadIdx.x];
  __syncthreads();
  numbers[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void unsynchronised_kernel(float* numbers) {
  __shared__ float shared[64];
  shared[threadIdx.x] = numbers[threadIdx.x];
  numbers[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void half_at_barrier_kernel(float* numbers) {
  if (threadIdx.x < 16) __syncthreads();
  numbers[threadIdx.x] = 1;
}

__global__ void missing_lane_kernel(float* numbers) {
  if (threadIdx.x == 3) return;
  numbers[threadIdx.x] = warp_sum(1.0f);
}

__global__ void unread_shared_kernel(float* numbers) {
  __shared__ float shared[64];
  if (threadIdx.x == 0) shared[0] = 1;
  __syncthreads();
  numbers[threadIdx.x] = shared[threadIdx.x];
}

__global__ void past_the_end_kernel(float* numbers) {
  numbers[256 + threadIdx.x] = 1;
}

__global__ void sums_kernel(const float* numbers, double* sums) {
  __shared__ double shared[kWidth / kWarp];
  const double number = static_cast<double>(numbers[threadIdx.x]);
  const double sum = block_sum(number, shared, kWidth / kWarp);
  const double largest =
      block_join(number, shared, kWidth / kWarp, [](double a, double b) { return a > b ? a : b; });
  if (threadIdx.x == 77) {
    sums[0] = sum;
    sums[1] = largest;
  }
}

TEST_F(Emulation, ABarrierPutsThreadsInStep) {
  std::vector<float> from(64);
  for (int i = 0; i < 64; ++i)
    from[static_cast<std::size_t>(i)] = static_cast<float>(i);
  for (const emulation::Order order :
       {emulation::Order::kForward, emulation::Order::kBackward, emulation::Order::kShuffled}) {
    emulation::set_order(order);
    stream_.upload<float>(from, memory_.data());
    stream_.launch(reverse_kernel, {dim3(1), dim3(64)}, memory_.data());
    const std::vector<float> to = numbers();
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(to[static_cast<std::size_t>(i)], static_cast<float>(63 - i));
  }
}

// Without its barrier the same kernel gives other numbers, whatever the order.
TEST_F(Emulation, AMissingBarrierShows) {
  const std::vector<float> from(64, 1);
  stream_.upload<float>(from, memory_.data());
  stream_.launch(unsynchronised_kernel, {dim3(1), dim3(64)}, memory_.data());
  EXPECT_TRUE(std::isnan(numbers()[0]));
}

TEST_F(Emulation, ABarrierThatNotAllReachIsAnError) {
  EXPECT_NE(refused(half_at_barrier_kernel, 32).find("thread 0 of block 0, 0 waits at a barrier"),
            std::string::npos);
}

TEST_F(Emulation, AShuffleWithoutALaneIsAnError) {
  EXPECT_NE(refused(missing_lane_kernel, 32).find("waits for lanes"), std::string::npos);
}

TEST_F(Emulation, SharedMemoryBeginsAsRubbish) {
  for (int launch = 0; launch < 2; ++launch) {
    stream_.launch(unread_shared_kernel, {dim3(1), dim3(64)}, memory_.data());
    const std::vector<float> to = numbers();
    EXPECT_EQ(to[0], 1);
    EXPECT_TRUE(std::isnan(to[1]));
  }
}

TEST_F(Emulation, GuardWordsTellOfWritesPastTheEnd) {
  stream_.launch(past_the_end_kernel, {dim3(1), dim3(1)}, memory_.data());
  EXPECT_NE(emulation::take_guard_report().find("1024 bytes was written 1 bytes past its end"),
            std::string::npos);
}

TEST_F(Emulation, JoinsOverABlockAgreeInEveryOrder) {
  std::vector<float> from(kWidth);
  double expected = 0;
  for (int i = 0; i < kWidth; ++i) {
    from[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i));
    expected += static_cast<double>(from[static_cast<std::size_t>(i)]);
  }
  DeviceBuffer<double> sums(2);
  double first = 0;
  for (const emulation::Order order :
       {emulation::Order::kForward, emulation::Order::kBackward, emulation::Order::kShuffled}) {
    emulation::set_order(order);
    stream_.upload<float>(from, memory_.data());
    stream_.launch(sums_kernel, {dim3(1), dim3(kWidth)}, memory_.data(), sums.data());
    double to[2];
    stream_.download<double>(sums.data(), to);
    stream_.synchronise();
    // Of kWidth numbers up to 1, each sum rounded by 2^-53 of kWidth at most: 2e-12.
    EXPECT_NEAR(to[0], expected, 0x1p-53 * kWidth * kWidth);
    EXPECT_EQ(to[1], static_cast<double>(*std::max_element(from.begin(), from.end())));
    if (first != 0) {
      EXPECT_EQ(to[0], first);
    }
    first = to[0];
  }
}

TEST_F(Emulation, AGraphDoesWhatWasRecordedAsOftenAsItIsLaunched) {
  std::vector<float> from(64);
  from[0] = 5;
  stream_.upload<float>(from, memory_.data());
  const Graph graph = stream_.record([&] {
    stream_.launch(reverse_kernel, {dim3(1), dim3(64)}, memory_.data());
  });
  EXPECT_EQ(numbers()[0], 5);
  stream_.launch(graph);
  EXPECT_EQ(numbers()[63], 5);
  stream_.launch(graph);
  EXPECT_EQ(numbers()[0], 5);
}

TEST_F(Emulation, ErrorsNameTheCallAndThePlace) {
  emulation::machine().allocations_to_failure = 0;
  try {
    const DeviceBuffer<float> more(10);
    FAIL() << "memory where there should be none";
  } catch (const CudaError& error) {
    EXPECT_TRUE(error.out_of_memory());
    EXPECT_FALSE(error.device_lost());
    EXPECT_NE(std::string(error.what()).find("buffer.h:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("cudaMalloc: out of memory"), std::string::npos);
  }
  emulation::machine().launches_to_loss = 0;
  try {
    stream_.launch(reverse_kernel, {dim3(1), dim3(64)}, memory_.data());
    stream_.synchronise();
    FAIL() << "a launch on a lost device";
  } catch (const CudaError& error) {
    EXPECT_TRUE(error.device_lost());
  }
  EXPECT_THROW(stream_.synchronise(), CudaError);
}

}  // namespace
}  // namespace dispersion

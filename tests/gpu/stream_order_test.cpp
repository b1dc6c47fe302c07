// What streams, captures and memory must not do, and that the emulation sees it.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "faults.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/stream.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kSeeds = 20;

__global__ void add_kernel(const float* from, float* to) {
  to[threadIdx.x] += from[threadIdx.x];
}

class StreamOrder : public testing::Test {
 protected:
  StreamOrder() { stream_.fill_zero(memory_.data(), 64 * sizeof(float)); }
  void TearDown() override {
    emulation::take_guard_report();
    emulation::reset_machine();
  }

  void add(const float* from) {
    stream_.launch(add_kernel, {dim3(1), dim3(64)}, from, memory_.data());
  }
  std::vector<float> numbers() {
    std::vector<float> to(64);
    stream_.download<float>(memory_.data(), to);
    stream_.synchronise();
    return to;
  }

  Stream stream_;
  DeviceBuffer<float> memory_{64};
};

// In how many of the seeds `fault` shows.
int seeds_that_show(const std::function<bool()>& fault) {
  int shown = 0;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    emulation::machine().delay_seed = seed;
    if (fault()) ++shown;
  }
  return shown;
}

TEST_F(StreamOrder, WithoutSynchroniseTheHostFindsRubbish) {
  EXPECT_GT(seeds_that_show([&] {
              std::vector<float> to(64);
              stream_.download<float>(memory_.data(), to);
              const bool rubbish = std::isnan(to[0]);
              stream_.synchronise();
              EXPECT_EQ(to[0], 0);
              return rubbish;
            }),
            0);
}

TEST_F(StreamOrder, HostMemoryThatChangesTooEarlyIsSeen) {
  EXPECT_GT(seeds_that_show([&] {
              std::vector<float> from(64, 1);
              stream_.upload<float>(from, memory_.data());
              from[0] = 2;
              return numbers()[0] == 2;
            }),
            0);
}

// What was uploaded may go when the stream has, or when one of its calls has failed.
TEST_F(StreamOrder, HostMemoryMayGoAfterTheStreamAndAfterAnError) {
  EXPECT_EQ(seeds_that_show([&] {
              std::vector<float> from(64, 1);
              Stream().upload<float>(from, memory_.data());
              from[0] = 2;
              emulation::take_guard_report();  // all work is done
              return numbers()[0] == 2;
            }),
            0);
  EXPECT_EQ(seeds_that_show([&] {
              std::vector<float> from(64, 1);
              stream_.upload<float>(from, memory_.data());
              emulation::machine().calls_to_failure = 0;
              EXPECT_THROW(stream_.synchronise(), CudaError);
              from[0] = 2;
              return numbers()[0] == 2;
            }),
            0);
}

TEST_F(StreamOrder, StreamsDoNotWaitForOneAnother) {
  Stream other;
  EXPECT_GT(seeds_that_show([&] {
              stream_.fill_zero(memory_.data(), 64 * sizeof(float));
              stream_.synchronise();
              const std::vector<float> ones(64, 1);
              stream_.upload<float>(ones, memory_.data());
              std::vector<float> to(64);
              other.download<float>(memory_.data(), to);
              other.synchronise();
              stream_.synchronise();
              return to[0] == 0;
            }),
            0);
}

TEST_F(StreamOrder, ACaptureForbidsWhatDoesNotGoByTheStream) {
  DeviceBuffer<float> device(4);
  PinnedBuffer<float> pinned(4);
  const Graph graph = stream_.record([&] { add(memory_.data()); });
  Stream other;
  void* memory = nullptr;
  const std::function<void()> forbidden[] = {
      [&] { check(cudaMalloc(&memory, 4), "cudaMalloc"); },
      [&] { check(cudaMallocHost(&memory, 4), "cudaMallocHost"); },
      [&] { check(cudaFree(device.data()), "cudaFree"); },
      [&] { check(cudaFreeHost(pinned.data()), "cudaFreeHost"); },
      [&] { stream_.synchronise(); },
      [&] { stream_.launch(graph); },
  };
  for (const auto& call : forbidden) {
    try {
      stream_.record(call);
      FAIL() << "recorded";
    } catch (const CudaError& error) {
      EXPECT_EQ(error.code(), cudaErrorStreamCaptureUnsupported) << error.what();
    }
    // Whatever went wrong, the recording is over.
    EXPECT_NO_THROW(DeviceBuffer<float>(4));
  }
  // Who does not look at the code of such a call finds that the recording failed.
  EXPECT_THROW(stream_.record([&] { cudaMalloc(&memory, 4); }), CudaError);
  EXPECT_THROW(stream_.record([] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_NO_THROW(stream_.record([&] { other.synchronise(); }));
  EXPECT_EQ(emulation::take_guard_report(), "");
}

TEST_F(StreamOrder, MemoryThatARecordedGraphNeedsStays) {
  DeviceBuffer<float> more(64);
  const Graph graph = stream_.record([&] { add(more.data()); });
  more = {};
  EXPECT_EQ(emulation::take_guard_report(),
            "a buffer of 256 bytes was freed while a recorded graph needs it; ");
  try {
    stream_.launch(graph);
    stream_.synchronise();
    FAIL() << "read what was freed";
  } catch (const CudaError& error) {
    EXPECT_TRUE(error.device_lost());
    EXPECT_NE(error.reason().find("add_kernel: memory that it needs was freed"), std::string::npos)
        << error.reason();
  }
}

// That of the device's memory waits for the device; that of the host's is not known to.
TEST_F(StreamOrder, PinnedMemoryThatQueuedWorkNeedsStays) {
  EXPECT_GT(seeds_that_show([&] {
              PinnedBuffer<float> ones(64);
              stream_.upload<float>({ones.data(), 64}, memory_.data());
              ones = {};
              const std::string said = emulation::take_guard_report();
              emulation::reset_machine();
              if (said.empty()) return false;
              EXPECT_EQ(said,
                        "a buffer of 256 bytes was freed while queued work (a copy) needs it; ");
              return true;
            }),
            0);
}

TEST_F(StreamOrder, CopiesStayInTheirBuffers) {
  std::vector<float> host(65);
  float* const device = memory_.data();
  const cudaStream_t stream = stream_.get();
  const auto copied = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
  };
  EXPECT_EQ(copied(device, host.data(), 256, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copied(device, host.data(), 260, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copied(host.data(), device + 1, 256, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(copied(host.data(), device, 256, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(copied(device, host.data(), 256, cudaMemcpyDeviceToDevice),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemsetAsync(device, 0, 257, stream), cudaErrorInvalidValue);
  stream_.synchronise();
}

TEST_F(StreamOrder, EveryCallCanFail) {
  emulation::machine().calls_to_failure = 1;
  EXPECT_NO_THROW(DeviceBuffer<float>());  // frees nothing, which is a call
  EXPECT_THROW(DeviceBuffer<float>(4), CudaError);
  EXPECT_EQ(emulation::failed_call(), "cudaMalloc");
  EXPECT_NO_THROW(DeviceBuffer<float>(4));
  emulation::machine().failure = emulation::Failure::kSticky;
  emulation::machine().calls_to_failure = 0;
  EXPECT_THROW(stream_.synchronise(), CudaError);
  EXPECT_THROW(DeviceBuffer<float>(4), CudaError);
}

// Among them those that toolkits before 12.4 have no names for.
TEST(StickyErrors, LoseTheDevice) {
  for (const int code :
       {46, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911, 999}) {
    EXPECT_TRUE(CudaError(static_cast<cudaError_t>(code), "", "", 1).device_lost()) << code;
  }
  for (const int code : {1, 2, 9, 35, 98, 100, 101, 209, 400, 701, 720, 801, 900, 901})
    EXPECT_FALSE(CudaError(static_cast<cudaError_t>(code), "", "", 1).device_lost()) << code;
}

}  // namespace
}  // namespace dispersion

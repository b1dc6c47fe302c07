#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "gpu/cuda_backend.h"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {

// A recorded run of launches, to be launched many times.
class Graph {
 public:
  Graph() = default;
  explicit Graph(cudaGraph_t recorded);  // takes it over
  Graph(Graph&& other) noexcept : executable_(std::exchange(other.executable_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(executable_, other.executable_);
    return *this;
  }
  ~Graph();
  explicit operator bool() const { return executable_ != nullptr; }
  cudaGraphExec_t get() const { return executable_; }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

// Blocks, threads of a block, and dynamic shared memory.
struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  // Where that can be (can_launch_early), begin before the kernel before is through. For kernels
  // that call wait_for_kernel_before() (gpu/kernels/early_launch.cuh).
  bool early = false;
};

// Work for the device, in order. The only place that launches anything; every launch is checked.
// Whenever a call fails, and at the end, it waits for what was asked for before: the work may need
// memory that goes then. Not while it records, when a device does not let it wait: whoever has
// asked for work before needs a WaitOnError.
class Stream {
 public:
  explicit Stream(DeviceUse use = DeviceUse::kForeground);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), const LaunchShape& shape, Arguments&&... arguments) {
    if (shape.shared_bytes > 0)
      allow_shared(reinterpret_cast<const void*>(kernel), shape.shared_bytes);
    cudaLaunchConfig_t config = {};
    config.gridDim = shape.grid;
    config.blockDim = shape.block;
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = stream_;
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &early;
    config.numAttrs = shape.early && launches_early_ ? 1 : 0;
    require(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...),
            "cudaLaunchKernelEx");
  }

  // Both copy `from.size()` numbers; the host's memory must stay until synchronise().
  template <class T>
  void upload(std::span<const T> from, T* to) {
    copy(from.data(), to, from.size_bytes(), cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(const T* from, std::span<T> to) {
    copy(from, to.data(), to.size_bytes(), cudaMemcpyDeviceToHost);
  }
  // Within the device's memory.
  template <class T>
  void copy_on_device(const T* from, std::size_t count, T* to) {
    copy(from, to, count * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  void fill_zero(void* memory, std::size_t bytes);

  // Waits for all that was asked for; errors of the work itself come out here.
  void synchronise();

  // What queue() launches is recorded instead of done. Whatever it throws, the recording has ended:
  // a thread that records may not free memory.
  template <class Queue>
  Graph record(Queue queue) {
    begin_recording();
    try {
      queue();
    } catch (...) {
      drop_recording();
      throw;
    }
    return end_recording();
  }
  void launch(const Graph& graph);

  cudaStream_t get() const { return stream_; }

 private:
  void require(cudaError_t code, const char* call, const char* file = __builtin_FILE(),
               int line = __builtin_LINE());
  void copy(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind);
  void allow_shared(const void* kernel, std::size_t asked);
  void begin_recording();
  Graph end_recording();
  void drop_recording();

  cudaStream_t stream_ = nullptr;
  bool launches_early_ = false;
  std::vector<const void*> allowed_shared_;  // kernels
};

// Waits for the stream's work when something else throws, before what the work needs goes: to be
// made after that.
class WaitOnError {
 public:
  explicit WaitOnError(Stream& stream) : stream_(stream) {}
  WaitOnError(const WaitOnError&) = delete;
  WaitOnError& operator=(const WaitOnError&) = delete;
  ~WaitOnError() {
    if (std::uncaught_exceptions() > before_) cudaStreamSynchronize(stream_.get());
  }

 private:
  Stream& stream_;
  int before_ = std::uncaught_exceptions();
};

}  // namespace dispersion

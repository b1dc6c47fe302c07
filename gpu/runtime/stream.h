#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <utility>

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
  // Where a device can (9.0 on), begin before the kernel before is through. For kernels that call
  // wait_for_kernel_before() (gpu/kernels/early_launch.cuh).
  bool early = false;
};

// Work for the device, in order. The only place that launches anything; every launch is checked.
class Stream {
 public:
  explicit Stream(DeviceUse use = DeviceUse::kForeground);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), const LaunchShape& shape, Arguments&&... arguments) {
    constexpr std::size_t kSharedWithoutAsking = 48 * 1024;
    if (shape.shared_bytes > kSharedWithoutAsking) {
      check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shape.shared_bytes)),
            "cudaFuncSetAttribute(dynamic shared memory)");
    }
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
    check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...),
          "cudaLaunchKernelEx");
  }

  // Both copy `from.size()` numbers; the host's memory must stay until synchronise() unless pinned.
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

  // Between these two, launches are recorded instead of done.
  void begin_recording();
  Graph end_recording();
  void launch(const Graph& graph);

  cudaStream_t get() const { return stream_; }

 private:
  void copy(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind);

  cudaStream_t stream_ = nullptr;
  bool launches_early_ = false;
};

}  // namespace dispersion

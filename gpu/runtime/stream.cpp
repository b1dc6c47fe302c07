#include "gpu/runtime/stream.h"

#include <algorithm>

#include "gpu/kernels/probe.h"
#include "gpu/runtime/device.h"

namespace dispersion {

Graph::Graph(cudaGraph_t recorded) {
  const cudaError_t code = cudaGraphInstantiate(&executable_, recorded, 0);
  cudaGraphDestroy(recorded);
  check(code, "cudaGraphInstantiate");
}

Graph::~Graph() {
  if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
}

Stream::Stream(DeviceUse use) {
  int background = 0;
  int foreground = 0;
  check(cudaDeviceGetStreamPriorityRange(&background, &foreground),
        "cudaDeviceGetStreamPriorityRange");
  launches_early_ = can_launch_early();
  check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                     use == DeviceUse::kForeground ? foreground : background),
        "cudaStreamCreateWithPriority");
}

Stream::~Stream() {
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
}

void Stream::require(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  const CudaError error(code, call, file, line);
  cudaStreamSynchronize(stream_);
  cudaGetLastError();
  throw error;
}

void Stream::copy(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  require(cudaMemcpyAsync(to, from, bytes, kind, stream_), "cudaMemcpyAsync");
}

void Stream::fill_zero(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  require(cudaMemsetAsync(memory, 0, bytes, stream_), "cudaMemsetAsync");
}

void Stream::synchronise() {
  require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

// A kernel may have what the device has, from its first launch here on. Every stream sets the same,
// so that it does not matter in which order threads do.
void Stream::allow_shared(const void* kernel, std::size_t asked) {
  if (std::find(allowed_shared_.begin(), allowed_shared_.end(), kernel) != allowed_shared_.end()) {
    return;
  }
  cudaFuncAttributes attributes;
  require(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  // What the system keeps of a block's memory is among the kernel's own on some devices, and never
  // among the most.
  const std::size_t dynamic = std::max(asked, most_shared_memory() - attributes.sharedSizeBytes);
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(dynamic)),
          "cudaFuncSetAttribute(dynamic shared memory)");
  allowed_shared_.push_back(kernel);
}

void Stream::begin_recording() {
  require(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
}

Graph Stream::end_recording() {
  cudaGraph_t recorded = nullptr;
  require(cudaStreamEndCapture(stream_, &recorded), "cudaStreamEndCapture");
  return Graph(recorded);
}

void Stream::drop_recording() {
  cudaGraph_t recorded = nullptr;
  cudaStreamEndCapture(stream_, &recorded);
  if (recorded != nullptr) cudaGraphDestroy(recorded);
  cudaGetLastError();
}

void Stream::launch(const Graph& graph) {
  require(cudaGraphLaunch(graph.get(), stream_), "cudaGraphLaunch");
}

}  // namespace dispersion

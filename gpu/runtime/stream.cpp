#include "gpu/runtime/stream.h"

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
  int device = 0;
  int major = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "cudaDeviceGetAttribute(compute capability)");
  launches_early_ = major >= 9;
  check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                     use == DeviceUse::kForeground ? foreground : background),
        "cudaStreamCreateWithPriority");
}

Stream::~Stream() {
  cudaStreamDestroy(stream_);
}

void Stream::copy(const void* from, void* to, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "cudaMemcpyAsync");
}

void Stream::fill_zero(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  check(cudaMemsetAsync(memory, 0, bytes, stream_), "cudaMemsetAsync");
}

void Stream::synchronise() {
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

void Stream::begin_recording() {
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
}

Graph Stream::end_recording() {
  cudaGraph_t recorded = nullptr;
  check(cudaStreamEndCapture(stream_, &recorded), "cudaStreamEndCapture");
  return Graph(recorded);
}

void Stream::launch(const Graph& graph) {
  check(cudaGraphLaunch(graph.get(), stream_), "cudaGraphLaunch");
}

}  // namespace dispersion

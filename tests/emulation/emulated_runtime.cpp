#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "faults.h"

struct EmulatedGraph {
  std::vector<std::function<cudaError_t()>> work;
};

struct EmulatedStream {
  std::unique_ptr<EmulatedGraph> recording;
};

namespace emulation {
namespace {

constexpr std::size_t kGuardBytes = 64;
constexpr unsigned char kGuard = 0xa5;
constexpr unsigned char kRubbish = 0xff;
constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

struct Held {
  std::size_t bytes;
  bool on_device;
};

Machine the_machine;
bool lost = false;
std::size_t longest = 0;
int newest_priority = 0;
std::map<unsigned char*, Held> held;
std::map<const void*, std::size_t> shared_limits;
std::string guard_report;

void look_at_guards(const unsigned char* data, const Held& buffer) {
  for (std::size_t i = 0; i < kGuardBytes; ++i) {
    const bool before = data[-1 - static_cast<std::ptrdiff_t>(i)] != kGuard;
    const bool after = data[buffer.bytes + i] != kGuard;
    if (!before && !after) continue;
    guard_report += "a buffer of " + std::to_string(buffer.bytes) + " bytes was written " +
                    std::to_string(i + 1) + " bytes " + (before ? "before it" : "past its end") +
                    "; ";
    return;
  }
}

cudaError_t allocate(void** memory, std::size_t bytes, bool on_device) {
  if (lost) return cudaErrorLaunchFailure;
  if (bytes == 0) {
    *memory = nullptr;
    return cudaSuccess;
  }
  if (on_device) {
    if (the_machine.allocations_to_failure == 0) return cudaErrorMemoryAllocation;
    if (the_machine.allocations_to_failure > 0) --the_machine.allocations_to_failure;
    if (bytes + bytes_held() + the_machine.other_bytes > the_machine.total_bytes) {
      return cudaErrorMemoryAllocation;
    }
  }
  // Rounded up, as aligned_alloc asks for; the guard starts where the buffer ends.
  const std::size_t whole = (bytes + 3 * kGuardBytes) / kGuardBytes * kGuardBytes;
  auto* base = static_cast<unsigned char*>(std::aligned_alloc(kGuardBytes, whole));
  if (base == nullptr) return cudaErrorMemoryAllocation;
  std::memset(base, kGuard, whole);
  std::memset(base + kGuardBytes, kRubbish, bytes);
  *memory = base + kGuardBytes;
  held[base + kGuardBytes] = {bytes, on_device};
  return cudaSuccess;
}

cudaError_t release(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  const auto found = held.find(static_cast<unsigned char*>(memory));
  if (found == held.end()) return cudaErrorInvalidValue;
  look_at_guards(found->first, found->second);
  std::free(found->first - kGuardBytes);
  held.erase(found);
  return cudaSuccess;
}

// Does something now, or records it.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work) {
  if (lost) return cudaErrorLaunchFailure;
  if (stream == nullptr) return cudaErrorInvalidValue;
  if (!stream->recording) return work();
  stream->recording->work.push_back(std::move(work));
  return cudaSuccess;
}

}  // namespace

Machine& machine() {
  return the_machine;
}

void reset_machine() {
  the_machine = {};
  lost = false;
  longest = 0;
}

int newest_stream_priority() {
  return newest_priority;
}

std::size_t longest_graph() {
  return longest;
}

std::size_t bytes_held() {
  std::size_t bytes = 0;
  for (const auto& [data, buffer] : held)
    bytes += buffer.on_device ? buffer.bytes : 0;
  return bytes;
}

std::string take_guard_report() {
  for (const auto& [data, buffer] : held)
    look_at_guards(data, buffer);
  return std::exchange(guard_report, {});
}

}  // namespace emulation

using emulation::the_machine;

const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    default:
      return "cudaErrorOther";
  }
}

const char* cudaGetErrorString(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorInvalidValue:
      return "invalid argument";
    default:
      return "no error text";
  }
}

cudaError_t cudaGetLastError() {
  return emulation::lost ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = the_machine.driver_version;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (the_machine.driver_version < 13000) return cudaErrorInsufficientDriver;
  if (the_machine.devices == 0) return cudaErrorNoDevice;
  *count = the_machine.devices;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= the_machine.devices) return cudaErrorInvalidDevice;
  *properties = {"Emulated device", the_machine.total_bytes, the_machine.major, the_machine.minor,
                 the_machine.multiprocessors};
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrKernelExecTimeout:
      *value = the_machine.kernel_time_limit ? 1 : 0;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(the_machine.shared_bytes);
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = the_machine.multiprocessors;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t cudaSetDevice(int device) {
  return device >= 0 && device < the_machine.devices ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return emulation::lost ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (emulation::lost) return cudaErrorLaunchFailure;
  const std::size_t used = emulation::bytes_held() + the_machine.other_bytes;
  *total = the_machine.total_bytes;
  *free = used < *total ? *total - used : 0;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return emulation::allocate(memory, bytes, true);
}

cudaError_t cudaFree(void* memory) {
  return emulation::release(memory);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return emulation::allocate(memory, bytes, false);
}

cudaError_t cudaFreeHost(void* memory) {
  return emulation::release(memory);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  return emulation::enqueue(stream, [=] {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return emulation::enqueue(stream, [=] {
    std::memset(memory, value, bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  attributes->ptxVersion = the_machine.compiled_for;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int bytes) {
  if (static_cast<std::size_t>(bytes) > the_machine.shared_bytes) return cudaErrorInvalidValue;
  emulation::shared_limits[kernel] = static_cast<std::size_t>(bytes);
  return cudaSuccess;
}

// As devices have it: the smaller number comes first.
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  if (priority < -5 || priority > 0) return cudaErrorInvalidValue;
  emulation::newest_priority = priority;
  *stream = new EmulatedStream;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return emulation::lost ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream->recording) return cudaErrorInvalidValue;
  stream->recording = std::make_unique<EmulatedGraph>();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (!stream->recording) return cudaErrorInvalidValue;
  *graph = stream->recording.release();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable = new EmulatedGraph(*graph);
  emulation::longest = std::max(emulation::longest, graph->work.size());
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  for (const auto& work : executable->work) {
    if (const cudaError_t code = work(); code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

cudaError_t emulated_launch(const cudaLaunchConfig_t& config, const void* kernel,
                            std::function<void()> thread) {
  const auto limit = emulation::shared_limits.find(kernel);
  const std::size_t most =
      limit == emulation::shared_limits.end() ? emulation::kSharedWithoutAsking : limit->second;
  const unsigned threads = config.blockDim.x * config.blockDim.y * config.blockDim.z;
  if (config.dynamicSmemBytes > most || threads == 0 || threads > 1024 || config.gridDim.x == 0 ||
      config.gridDim.y == 0 || config.gridDim.y > 65535 || config.gridDim.z == 0) {
    return cudaErrorInvalidValue;
  }
  const emulation::Shape shape{{config.gridDim.x, config.gridDim.y, config.gridDim.z},
                               {config.blockDim.x, config.blockDim.y, config.blockDim.z},
                               config.dynamicSmemBytes};
  return emulation::enqueue(config.stream, [shape, thread = std::move(thread)] {
    if (the_machine.launches_to_loss == 0) {
      emulation::lost = true;
      return cudaErrorLaunchFailure;
    }
    if (the_machine.launches_to_loss > 0) --the_machine.launches_to_loss;
    emulation::run_grid(shape, thread);
    return cudaSuccess;
  });
}

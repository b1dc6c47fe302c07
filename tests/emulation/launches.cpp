#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "cuda_runtime.h"
#include "faults.h"
#include "fibres.h"
#include "kernel_names.h"
#include "launches.h"
#include "runtime_call.h"
#include "streams.h"

namespace emulation {
namespace {

constexpr std::size_t kSharedWithoutAsking = 48 * 1024;
// What a device counts registers in: 8 of a thread, for whole warps.
constexpr unsigned kRegisterStep = 8;

// Of any device that the lab runs on.
constexpr unsigned kMostBlockZ = 64;
constexpr unsigned kMostGridX = 0x7fffffffu;
constexpr unsigned kMostGridYZ = 65535;

std::map<const void*, std::size_t> asked_for;  // dynamic shared memory

int capability() {
  return machine().major * 10 + machine().minor;
}

KernelResources resources_of(const void* kernel) {
  return kernel_resources(kernel_name(kernel), capability());
}

bool has_code() {
  return machine().compiled_for <= capability();
}

std::string shape_text(const dim3& shape) {
  return std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " +
         std::to_string(shape.z);
}

bool within(const dim3& shape, const dim3& most) {
  const auto fits = [](unsigned n, unsigned limit) { return n >= 1 && n <= limit; };
  return fits(shape.x, most.x) && fits(shape.y, most.y) && fits(shape.z, most.z);
}

cudaError_t check_shape(const cudaLaunchConfig_t& config, const std::string& kernel) {
  const dim3 most_grid(kMostGridX, kMostGridYZ, kMostGridYZ);
  if (!within(config.gridDim, most_grid)) {
    return refuse(cudaErrorInvalidConfiguration, kernel + ": a grid of " +
                                                     shape_text(config.gridDim) + "; from 1 to " +
                                                     shape_text(most_grid) + " are allowed");
  }
  const dim3 most_block(kMostThreads, kMostThreads, kMostBlockZ);
  const std::size_t threads =
      std::size_t{config.blockDim.x} * config.blockDim.y * config.blockDim.z;
  if (!within(config.blockDim, most_block) || threads > kMostThreads) {
    return refuse(cudaErrorInvalidConfiguration,
                  kernel + ": a block of " + shape_text(config.blockDim) + "; at most " +
                      std::to_string(kMostThreads) + " threads are allowed");
  }
  return cudaSuccess;
}

unsigned threads_of(const cudaLaunchConfig_t& config) {
  return config.blockDim.x * config.blockDim.y * config.blockDim.z;
}

// What the compiler relied on.
cudaError_t check_launch_bounds(const cudaLaunchConfig_t& config, const std::string& kernel,
                                unsigned most) {
  if (threads_of(config) <= most) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, kernel + ": " + std::to_string(threads_of(config)) +
                                           " threads; its launch bounds allow " +
                                           std::to_string(most));
}

cudaError_t check_registers(const cudaLaunchConfig_t& config, const std::string& kernel,
                            int of_thread) {
  const unsigned threads = threads_of(config);
  const unsigned warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const unsigned counted =
      (static_cast<unsigned>(of_thread) + kRegisterStep - 1) / kRegisterStep * kRegisterStep;
  const unsigned registers = warps * kWarpLanes * counted;
  if (registers <= static_cast<unsigned>(machine().registers)) return cudaSuccess;
  return refuse(cudaErrorLaunchOutOfResources, kernel + ": " + std::to_string(threads) +
                                                   " threads of " + std::to_string(of_thread) +
                                                   " registers; a block has " +
                                                   std::to_string(machine().registers));
}

cudaError_t check_shared(const cudaLaunchConfig_t& config, const void* kernel,
                         const std::string& name, std::size_t fixed) {
  const auto asked = asked_for.find(kernel);
  const bool has_asked = asked != asked_for.end();
  const std::size_t allowed = has_asked ? fixed + asked->second : kSharedWithoutAsking;
  const std::size_t most = std::min(allowed, machine().shared_bytes);
  if (fixed + config.dynamicSmemBytes <= most) return cudaSuccess;
  return refuse(cudaErrorInvalidValue,
                name + ": " + std::to_string(fixed) + " bytes of static and " +
                    std::to_string(config.dynamicSmemBytes) + " of dynamic shared memory; " +
                    (has_asked ? "it asked for " : "without asking it has ") +
                    std::to_string(most));
}

cudaError_t check_launch(const cudaLaunchConfig_t& config, const void* kernel,
                         const std::string& name) {
  if (!has_code()) return cudaErrorNoKernelImageForDevice;
  const KernelResources resources = resources_of(kernel);
  // The first that is refused is the one that is told of.
  cudaError_t code = check_shape(config, name);
  if (code == cudaSuccess) code = check_launch_bounds(config, name, resources.most_threads);
  if (code == cudaSuccess) code = check_registers(config, name, resources.registers);
  if (code != cudaSuccess) return code;
  return check_shared(config, kernel, name, static_cast<std::size_t>(resources.shared_bytes));
}

cudaError_t run_kernel(const Shape& shape, const std::function<void()>& thread) {
  Machine& m = machine();
  if (m.launches_to_loss == 0) return cudaErrorLaunchFailure;
  if (m.launches_to_loss > 0) --m.launches_to_loss;
  if (m.runs_kernels) run_grid(shape, thread);
  return cudaSuccess;
}

}  // namespace

void forget_asked_shared() {
  asked_for.clear();
}

}  // namespace emulation

using emulation::call;
using emulation::During;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return call("cudaFuncGetAttributes", During::kCapture, [&] {
    if (!emulation::has_code()) return cudaErrorNoKernelImageForDevice;
    *attributes = {static_cast<std::size_t>(emulation::resources_of(kernel).shared_bytes),
                   emulation::machine().compiled_for};
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int bytes) {
  return call("cudaFuncSetAttribute", During::kCapture, [&] {
    const auto fixed = static_cast<std::size_t>(emulation::resources_of(kernel).shared_bytes);
    const std::size_t most = emulation::machine().shared_bytes;
    if (bytes < 0 || fixed + static_cast<std::size_t>(bytes) > most) {
      return emulation::refuse(cudaErrorInvalidValue,
                               emulation::kernel_name(kernel) + ": " + std::to_string(fixed) +
                                   " bytes of static and " + std::to_string(bytes) +
                                   " of dynamic shared memory; the device has " +
                                   std::to_string(most));
    }
    emulation::asked_for[kernel] = static_cast<std::size_t>(bytes);
    return cudaSuccess;
  });
}

cudaError_t emulated_launch(const cudaLaunchConfig_t& config, const void* kernel,
                            const std::vector<std::uintptr_t>& words,
                            std::function<void()> thread) {
  return call("cudaLaunchKernelEx", During::kCapture, [&] {
    emulation::Work work{emulation::kernel_name(kernel), {}, {}, true, config.numAttrs > 0};
    const cudaError_t code = emulation::check_launch(config, kernel, work.name);
    if (code != cudaSuccess) return code;
    for (const std::uintptr_t word : words) {
      if (const auto buffer = emulation::buffer_at(word)) work.buffers.push_back(*buffer);
    }
    const emulation::Shape shape{{config.gridDim.x, config.gridDim.y, config.gridDim.z},
                                 {config.blockDim.x, config.blockDim.y, config.blockDim.z},
                                 config.dynamicSmemBytes};
    work.run = [shape, thread = std::move(thread)] { return emulation::run_kernel(shape, thread); };
    return emulation::enqueue(config.stream, std::move(work));
  });
}

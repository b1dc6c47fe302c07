#include "gpu/runtime/device.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <stdexcept>

#include "gpu/kernels/probe.h"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

constexpr int kOldestMajor = 7;
constexpr int kOldestMinor = 5;
// Left to the driver and to other programs.
constexpr std::size_t kSpareBytes = std::size_t{64} << 20;

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string megabytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.0f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

std::string capability_text(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

struct Versions {
  int driver = 0;  // 0: there is none
  int runtime = 0;
};

Versions versions() {
  Versions found;
  // A device that was lost may be heard of here first.
  check(cudaDriverGetVersion(&found.driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&found.runtime), "cudaRuntimeGetVersion");
  return found;
}

int device_count(const Versions& found) {
  const auto [driver, runtime] = found;
  if (driver == 0) throw std::runtime_error("No CUDA driver is installed.");
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (code == cudaErrorInsufficientDriver) {
    throw std::runtime_error("The CUDA driver is too old: it is for CUDA " + version_text(driver) +
                             ", and this program needs " + version_text(runtime) + ".");
  }
  if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0)) {
    throw std::runtime_error("There is no CUDA device.");
  }
  if (code != cudaSuccess) {
    throw std::runtime_error(std::string("CUDA cannot be used: ") + cudaGetErrorString(code) + ".");
  }
  return count;
}

}  // namespace

DeviceInfo usable_device(int index) {
  const int count = device_count(versions());
  if (index < 0 || index >= count) {
    throw std::runtime_error(
        "There is no CUDA device " + std::to_string(index) +
        ": this machine "
        "has " +
        (count == 1 ? "one, 0."
                    : std::to_string(count) + ", 0 to " + std::to_string(count - 1) + "."));
  }
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  DeviceInfo info{index,
                  properties.name,
                  properties.major,
                  properties.minor,
                  properties.totalGlobalMem,
                  properties.multiProcessorCount,
                  false};
  if (info.major * 10 + info.minor < kOldestMajor * 10 + kOldestMinor) {
    throw std::runtime_error(info.name + " has compute capability " +
                             capability_text(info.major, info.minor) + "; 7.5 or newer is needed.");
  }
  int limited = 0;
  check(cudaDeviceGetAttribute(&limited, cudaDevAttrKernelExecTimeout, index),
        "cudaDeviceGetAttribute");
  info.kernel_time_limit = limited != 0;
  return info;
}

CudaFacts device_facts() {
  CudaFacts facts;
  int count = 0;
  try {
    const Versions found = versions();
    facts.runtime = version_text(found.runtime);
    if (found.driver > 0) facts.driver = version_text(found.driver);
    count = device_count(found);
  } catch (const std::runtime_error&) {
    return facts;
  }
  for (int index = 0; index < count; ++index) {
    CudaFacts::Device& device = facts.devices.emplace_back();
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) continue;
    device = {properties.name, capability_text(properties.major, properties.minor),
              properties.totalGlobalMem};
  }
  return facts;
}

void select_device(int index) {
  check(cudaSetDevice(index), "cudaSetDevice");
}

void open_device(const DeviceInfo& device) {
  select_device(device.index);
  device_memory();
  const cudaError_t code = probe_code();
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction) {
    cudaGetLastError();
    throw std::runtime_error("This program has no code for " + device.name +
                             ", which has compute capability " +
                             capability_text(device.major, device.minor) + ".");
  }
  check(code, "cudaFuncGetAttributes");
}

DeviceMemory device_memory() {
  DeviceMemory memory;
  check(cudaMemGetInfo(&memory.free_bytes, &memory.total_bytes), "cudaMemGetInfo");
  return memory;
}

std::size_t most_shared_memory() {
  int device = 0;
  int most = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(most);
}

std::size_t available_memory() {
  const std::size_t free = device_memory().free_bytes;
  return free > kSpareBytes ? free - kSpareBytes : 0;
}

std::int64_t largest_that_fits(std::int64_t most, std::size_t available,
                               const std::function<std::size_t(std::int64_t)>& bytes) {
  std::int64_t fits = 0;
  std::int64_t too_many = most + 1;
  while (fits + 1 < too_many) {
    const std::int64_t middle = fits + (too_many - fits) / 2;
    (bytes(middle) <= available ? fits : too_many) = middle;
  }
  return fits;
}

void require_memory(const MemoryNeed& need) {
  const std::size_t available = available_memory();
  const std::size_t bytes = need.bytes(need.n);
  if (bytes <= available) return;
  const DeviceMemory memory = device_memory();
  const std::int64_t fits = largest_that_fits(need.n - 1, available, need.bytes);
  throw std::runtime_error(need.what + " needs " + megabytes(bytes) + " of device memory; " +
                           megabytes(memory.free_bytes) + " of " + megabytes(memory.total_bytes) +
                           " are free. The largest number of " + need.unit + " that fits is " +
                           std::to_string(fits) + ".");
}

}  // namespace dispersion

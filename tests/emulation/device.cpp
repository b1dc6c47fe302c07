#include "faults.h"
#include "runtime_call.h"

namespace emulation {
namespace {

// Limits of the compute capability (CUDA C++ Programming Guide, "Compute Capabilities"); processors
// and memory of one device that has it.
constexpr Profile kProfiles[] = {
    {"T4", 7, 5, 40, std::size_t{64} << 10, std::size_t{16} << 30},
    {"A100", 8, 0, 108, std::size_t{163} << 10, std::size_t{40} << 30},
    {"RTX 3080", 8, 6, 68, std::size_t{99} << 10, std::size_t{10} << 30},
    {"RTX 4090", 8, 9, 128, std::size_t{99} << 10, std::size_t{24} << 30},
    {"H200", 9, 0, 132, std::size_t{227} << 10, std::size_t{141} << 30},
    {"RTX 5090", 12, 0, 170, std::size_t{99} << 10, std::size_t{32} << 30},
};

}  // namespace

std::span<const Profile> profiles() {
  return kProfiles;
}

Machine machine_like(const Profile& profile) {
  Machine machine;
  machine.major = profile.major;
  machine.minor = profile.minor;
  machine.compiled_for = profile.major * 10 + profile.minor;
  machine.multiprocessors = profile.multiprocessors;
  machine.shared_bytes = profile.shared_bytes;
  machine.total_bytes = profile.total_bytes;
  return machine;
}

}  // namespace emulation

using emulation::call;
using emulation::During;
using emulation::machine;

namespace {

constexpr int kRuntimeVersion = 13000;
constexpr int kOldMajor = 6;

}  // namespace

cudaError_t cudaDriverGetVersion(int* version) {
  return call("cudaDriverGetVersion", During::kCapture, [&] {
    *version = machine().driver_version;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return call("cudaRuntimeGetVersion", During::kCapture, [&] {
    *version = kRuntimeVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", During::kCapture, [&] {
    *count = 0;
    if (machine().driver_version < kRuntimeVersion) return cudaErrorInsufficientDriver;
    if (machine().devices == 0) return cudaErrorNoDevice;
    *count = machine().devices;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", During::kCapture, [&] {
    if (device < 0 || device >= machine().devices) return cudaErrorInvalidDevice;
    const int major = device < machine().old_devices ? kOldMajor : machine().major;
    *properties = {"Emulated device", machine().total_bytes, major, machine().minor,
                   machine().multiprocessors};
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  return call("cudaDeviceGetAttribute", During::kCapture, [&] {
    switch (attribute) {
      case cudaDevAttrKernelExecTimeout:
        *value = machine().kernel_time_limit ? 1 : 0;
        return cudaSuccess;
      case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = static_cast<int>(machine().shared_bytes);
        return cudaSuccess;
      case cudaDevAttrMultiProcessorCount:
        *value = machine().multiprocessors;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call("cudaSetDevice", During::kCapture, [&] {
    return device >= 0 && device < machine().devices ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", During::kCapture, [&] {
    *device = 0;
    return cudaSuccess;
  });
}

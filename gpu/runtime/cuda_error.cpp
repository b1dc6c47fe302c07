#include "gpu/runtime/cuda_error.h"

#include <string>
#include <string_view>

namespace dispersion {
namespace {

std::string message(cudaError_t code, const char* call, const char* file, int line) {
  const std::string_view path = file;
  std::string text(path.substr(path.find_last_of('/') + 1));
  text.append(":").append(std::to_string(line)).append(": ").append(call);
  text.append(": ").append(cudaGetErrorString(code));
  return text.append(" (").append(cudaGetErrorName(code)).append(")");
}

}  // namespace

CudaError::CudaError(cudaError_t code, const char* call, const char* file, int line)
    : std::runtime_error(message(code, call, file, line)),
      code_(code),
      reason_(cudaGetErrorString(code)) {}

bool CudaError::device_lost() const {
  // By number what older toolkits have no name for.
  constexpr int kContained = 226;
  constexpr int kTensorMemoryLeak = 721;
  constexpr int kMpsClientTerminated = 810;
  constexpr int kExternalDevice = 911;
  switch (static_cast<int>(code_)) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorDevicesUnavailable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
    case kContained:
    case kTensorMemoryLeak:
    case kMpsClientTerminated:
    case kExternalDevice:
      return true;
    default:
      return false;
  }
}

void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  // Clears an error that is not sticky, so that it is not reported again by an unrelated call.
  cudaGetLastError();
  throw CudaError(code, call, file, line);
}

}  // namespace dispersion

#include "runtime_call.h"

#include <utility>

#include "faults.h"
#include "launches.h"
#include "streams.h"

namespace emulation {
namespace {

Machine the_machine;
cudaError_t the_loss = cudaSuccess;
std::string why_lost;
int calls = 0;
std::string failed;
std::string after_failure;

thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaError_t refused_with = cudaSuccess;
thread_local std::string refusal;

cudaError_t fail_now() {
  switch (the_machine.failure) {
    case Failure::kOrdinary:
      return cudaErrorInvalidValue;
    case Failure::kOutOfMemory:
      return cudaErrorMemoryAllocation;
    case Failure::kSticky:
      lose(cudaErrorLaunchFailure, "");
      break;
  }
  return the_loss;
}

const char* text_of(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchOutOfResources:
      return "too many resources requested for launch";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    default:
      return "no error text";
  }
}

}  // namespace

Machine& machine() {
  return the_machine;
}

void reset_machine() {
  const std::lock_guard lock(runtime_lock());
  if (the_loss != cudaSuccess) drop_all_work();
  the_machine = {};
  the_loss = cudaSuccess;
  calls = 0;
  failed.clear();
  after_failure.clear();
  forget_streams();
  forget_asked_shared();
}

int calls_made() {
  const std::lock_guard lock(runtime_lock());
  return calls;
}

std::string failed_call() {
  const std::lock_guard lock(runtime_lock());
  return failed;
}

std::string call_after_failure() {
  const std::lock_guard lock(runtime_lock());
  return after_failure;
}

std::mutex& runtime_lock() {
  static std::mutex lock;
  return lock;
}

void lose(cudaError_t code, const std::string& why) {
  if (the_loss == cudaSuccess) {
    the_loss = code;
    why_lost = why;
  }
  drop_all_work();
}

cudaError_t loss() {
  return the_loss;
}

cudaError_t refuse(cudaError_t code, std::string text) {
  refused_with = code;
  refusal = std::move(text);
  return code;
}

Verdict begin_call(const char* name, During during) {
  ++calls;
  if (!failed.empty() && after_failure.empty()) after_failure = name;
  refused_with = cudaSuccess;
  let_time_pass();
  if (the_loss != cudaSuccess) return {the_loss};
  if (the_machine.calls_to_failure == 0) {
    the_machine.calls_to_failure = -1;
    failed = name;
    return {fail_now()};
  }
  if (the_machine.calls_to_failure > 0) --the_machine.calls_to_failure;
  if (during == During::kNoCapture && invalidate_captures_of_this_thread()) {
    return {refuse(cudaErrorStreamCaptureUnsupported, std::string(name) + " during capture"), true};
  }
  return {};
}

cudaError_t end_call(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}

}  // namespace emulation

const char* cudaGetErrorString(cudaError_t code) {
  using namespace emulation;
  const std::lock_guard lock(runtime_lock());
  const std::string why = code == refused_with ? refusal : code == the_loss ? why_lost : "";
  thread_local std::string text;
  text = text_of(code);
  if (!why.empty()) text += " (" + why + ")";
  return text.c_str();
}

const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    default:
      return "another error";
  }
}

cudaError_t cudaGetLastError() {
  const std::lock_guard lock(emulation::runtime_lock());
  if (emulation::loss() != cudaSuccess) return emulation::loss();
  return std::exchange(emulation::last_error, cudaSuccess);
}

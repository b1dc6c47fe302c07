#pragma once

#include <mutex>
#include <string>

#include "cuda_runtime_api.h"

// How every call of the emulated runtime begins: one at a time, whichever thread it comes from,
// counted, and refused where the device is lost, a test wants it to fail or capture forbids it.
namespace emulation {

enum class During { kCapture, kNoCapture };

std::mutex& runtime_lock();

// The device is lost from now on; cudaGetErrorString adds `why`, if any, to the code.
void lose(cudaError_t code, const std::string& why);
// cudaSuccess while the device is there.
cudaError_t loss();

// What cudaGetErrorString adds to this code until the thread's next call.
cudaError_t refuse(cudaError_t code, std::string text);

// What a call of this name must fail with before it does anything.
struct Verdict {
  cudaError_t code = cudaSuccess;
  bool forbidden = false;  // by the capture of a stream
};
Verdict begin_call(const char* name, During during);
cudaError_t end_call(cudaError_t code);

template <class Work>
cudaError_t call(const char* name, During during, Work work) {
  const std::lock_guard lock(runtime_lock());
  const Verdict verdict = begin_call(name, during);
  return end_call(verdict.code != cudaSuccess ? verdict.code : work());
}

// One that frees something, which it does although it fails.
template <class Work>
cudaError_t releasing_call(const char* name, During during, Work work) {
  const std::lock_guard lock(runtime_lock());
  const Verdict verdict = begin_call(name, during);
  if (verdict.forbidden) return end_call(verdict.code);
  const cudaError_t done = work();
  return end_call(verdict.code != cudaSuccess ? verdict.code : done);
}

}  // namespace emulation

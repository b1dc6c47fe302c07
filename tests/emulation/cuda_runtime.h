#pragma once

// Stands in for the CUDA Toolkit: with this folder first among the include directories, everything
// in gpu/ compiles as ordinary C++ and runs on the CPU, thread for thread. CUDA threads are fibres
// (fibres.h); blocks run one after another. Words that are part of the language cannot be had
// without macros.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "fibres.h"

#define __global__
#define __device__
#define __host__
// One copy for all threads of a block, as blocks run one after another; the section lets the
// emulation fill it with rubbish before every block.
#define __shared__ static __attribute__((section("emulated_shared")))
#define __launch_bounds__(...)

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

// Set by the emulation before a fibre runs.
extern thread_local dim3 threadIdx;
extern thread_local dim3 blockIdx;
extern thread_local dim3 blockDim;
extern thread_local dim3 gridDim;

using std::max;
using std::min;

inline void __syncthreads() {
  emulation::wait_for_block();
}

// Blocks run one after another.
inline void __threadfence() {}

namespace emulation {

template <class T>
T shuffle(unsigned lanes, T value, int from_lane) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kExchangeBytes);
  exchange(lanes, &value, sizeof(T));
  T result = value;
  std::memcpy(&result, exchanged(lanes, from_lane), sizeof(T));
  return result;
}

}  // namespace emulation

template <class T>
T __shfl_sync(unsigned lanes, T value, int lane) {
  return emulation::shuffle(lanes, value, lane);
}
template <class T>
T __shfl_xor_sync(unsigned lanes, T value, int mask) {
  return emulation::shuffle(lanes, value, emulation::lane() ^ mask);
}

inline unsigned __ballot_sync(unsigned lanes, int predicate) {
  emulation::exchange(lanes, &predicate, sizeof(predicate));
  unsigned votes = 0;
  for (int l = 0; l < 32; ++l) {
    if (((lanes >> l) & 1u) == 0) continue;
    int vote;
    std::memcpy(&vote, emulation::exchanged(lanes, l), sizeof(vote));
    if (vote != 0) votes |= 1u << l;
  }
  return votes;
}
inline int __any_sync(unsigned lanes, int predicate) {
  return __ballot_sync(lanes, predicate) != 0 ? 1 : 0;
}

// One fibre runs at a time, so these need not be atomic.
inline int atomicMax(int* at, int value) {
  return std::exchange(*at, std::max(*at, value));
}
template <class T>
T atomicAdd(T* at, T value) {
  return std::exchange(*at, static_cast<T>(*at + value));
}

// Kernels run one after another here, also where a device would begin one early, unless
// emulation::set_begins_early().
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

// Queues the kernel, or records it while the stream is captured. `words` are those of its
// arguments, among which are its pointers.
cudaError_t emulated_launch(const cudaLaunchConfig_t&, const void* kernel,
                            const std::vector<std::uintptr_t>& words, std::function<void()> thread);

namespace emulation {

// Pointers lie on whole words, in a struct too.
template <class T>
void add_words(const T& argument, std::vector<std::uintptr_t>& words) {
  const std::size_t before = words.size();
  words.resize(before + sizeof(T) / sizeof(std::uintptr_t));
  std::memcpy(words.data() + before, &argument, (words.size() - before) * sizeof(std::uintptr_t));
}

}  // namespace emulation

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  std::vector<std::uintptr_t> words;
  (emulation::add_words<Parameters>(arguments, words), ...);
  // By value, as a launch takes them.
  return emulated_launch(
      *config, reinterpret_cast<const void*>(kernel), words,
      [kernel, ... copy = static_cast<Parameters>(arguments)] { kernel(copy...); });
}

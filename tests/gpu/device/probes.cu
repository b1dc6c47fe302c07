#include "gpu/kernels/block.cuh"
#include "gpu/kernels/tensor_core.cuh"
#include "probes.h"

namespace dispersion {
namespace {

__global__ void nothing_kernel() {}

__global__ void __launch_bounds__(kProbeThreads) tensor_probe_kernel(int repeats, float* out) {
  const int at = static_cast<int>(blockIdx.x * kProbeThreads + threadIdx.x);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  // Pairs of bf16 about 1, different in every lane: zeros would take less power, and so less time.
  const unsigned pair = 0x3f803f00u + (threadIdx.x % kWarp) * 0x00030005u;
  const uint4 a = {pair, pair + 1, pair + 2, pair + 3};
  const uint2 b = {pair ^ 0x8000u, pair + 7};
  float sums[kProductsInFlight][4] = {};
  for (int r = 0; r < repeats; ++r) {
#pragma unroll
    for (auto& sum : sums)
      multiply_add(a, b, sum[0], sum[1], sum[2], sum[3]);
  }
  float total = 0;
#pragma unroll
  for (const auto& sum : sums)
    total += (sum[0] + sum[1]) + (sum[2] + sum[3]);
  out[at] = total;
#else
  out[at] = static_cast<float>(repeats);
#endif
}

__global__ void __launch_bounds__(kProbeThreads) float_probe_kernel(int repeats, float* out) {
  const int at = static_cast<int>(blockIdx.x * kProbeThreads + threadIdx.x);
  const float factor = 1.0f - 1e-6f * static_cast<float>(threadIdx.x + 1);
  float sums[kFusedInFlight];
#pragma unroll
  for (int i = 0; i < kFusedInFlight; ++i)
    sums[i] = static_cast<float>(i);
  for (int r = 0; r < repeats; ++r) {
#pragma unroll
    for (float& sum : sums)
      sum = fmaf(sum, factor, 0.5f);
  }
  float total = 0;
#pragma unroll
  for (const float sum : sums)
    total += sum;
  out[at] = total;
}

}  // namespace

void launch_nothing(Stream& stream) {
  stream.launch(nothing_kernel, {dim3(1), dim3(32)});
}

void launch_tensor_probe(Stream& stream, unsigned blocks, int repeats, float* out) {
  stream.launch(tensor_probe_kernel, {dim3(blocks), dim3(kProbeThreads)}, repeats, out);
}

double tensor_probe_flops(unsigned blocks, int repeats) {
  constexpr double kOfProduct = 2.0 * 16 * 8 * 16;
  constexpr int kWarps = kProbeThreads / kWarp;
  return kOfProduct * kProductsInFlight * kWarps * blocks * repeats;
}

void launch_float_probe(Stream& stream, unsigned blocks, int repeats, float* out) {
  stream.launch(float_probe_kernel, {dim3(blocks), dim3(kProbeThreads)}, repeats, out);
}

double float_probe_flops(unsigned blocks, int repeats) {
  return 2.0 * kFusedInFlight * kProbeThreads * blocks * repeats;
}

}  // namespace dispersion

#pragma once

#include "gpu/runtime/stream.h"

namespace dispersion {

// A kernel that does nothing, with one block.
void launch_nothing(Stream& stream);

// Kernels that do nothing but multiply and add, in registers, in `blocks` blocks of kProbeThreads
// threads; out: [blocks * kProbeThreads], so that the work is for something.
inline constexpr int kProbeThreads = 256;

// Products of bf16 on tensor cores, by the instruction that the kernels use (mma.sync, of 8.0 and
// newer): 16 x 8 x 16, kProductsInFlight independent ones, `repeats` times a warp.
inline constexpr int kProductsInFlight = 4;
void launch_tensor_probe(Stream& stream, unsigned blocks, int repeats, float* out);
double tensor_probe_flops(unsigned blocks, int repeats);

// Fused multiply-adds of floats, kFusedInFlight independent ones, `repeats` times a thread.
inline constexpr int kFusedInFlight = 8;
void launch_float_probe(Stream& stream, unsigned blocks, int repeats, float* out);
double float_probe_flops(unsigned blocks, int repeats);

}  // namespace dispersion

#pragma once

#include "cuda_runtime.h"

// Twins of the instructions in gpu/kernels/tensor_core.cuh, in plain C++.
namespace emulation {

void multiply_add(const uint4& a, const uint2& b, float& d0, float& d1, float& d2, float& d3);
// Throws std::logic_error where rows of a matrix lie in the same banks of shared memory.
uint4 load_matrices(const uint4* row, bool transposed);

// Copies are done no sooner than the thread waits for them; until then rubbish lies there.
void begin_copy(const uint4* from, bool there, uint4* to);
void end_batch();
void wait_for_batches(int batches);

unsigned pack_bf16(float low, float high);

}  // namespace emulation

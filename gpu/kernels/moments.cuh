#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstddef>

#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {

// A weight as a whole number of kWeightUnit, in two parts of 19 bits: high 2^19 + low. There are
// atomics of 64 bits in shared memory only as a loop of compare and swap; these are single
// instructions.
struct WeightHalves {
  unsigned high;  // 0 to 2^19
  unsigned low;   // -2^18 to 2^18, in two's complement
};

inline constexpr int kHalfBits = kWeightBits / 2;
static_assert(2 * kHalfBits == kWeightBits);
// The sums over a chunk, all of whose items may lie in one cell, fit their 32 bits.
static_assert(static_cast<unsigned long long>(kChunkItems) << kHalfBits <= 0xffffffffULL);
static_assert(static_cast<unsigned long long>(kChunkItems) << (kHalfBits - 1) <= 0x7fffffffULL);

// weight in [0, 1]. Exact but for one rounding to kWeightUnit: adding 1.5 2^23 rounds to whole
// numbers, which then are the sum's last bits, and what is left over is exact.
__device__ inline WeightHalves weight_halves(float weight) {
  constexpr float kRound = 12582912.0f;
  constexpr float kScale = static_cast<float>(1 << kHalfBits);
  const float high = fmaf(weight, kScale, kRound);
  const float rest = fmaf(weight, kScale, -(high - kRound));
  const float low = fmaf(rest, kScale, kRound);
  return {std::bit_cast<unsigned>(high) - std::bit_cast<unsigned>(kRound),
          std::bit_cast<unsigned>(low) - std::bit_cast<unsigned>(kRound)};
}

// sum of weight t^p over the items of every cell, p = 0 .. 3, of a chunk, in shared memory:
// [4, cells of all classes], the high halves and then the low ones. A power's sums lie side by
// side, so that threads with different cells meet in few banks.
class MomentHalves {
 public:
  __device__ MomentHalves(unsigned* memory, int cells) : memory_(memory), cells_(cells) {}

  static constexpr std::size_t bytes(int cells) {
    return static_cast<std::size_t>(cells) * 4 * sizeof(WeightHalves);
  }
  __device__ int count() const { return 4 * cells_; }

  // By all threads of the block, with a barrier before.
  __device__ void clear() const {
    __syncthreads();
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < 2 * count(); i += static_cast<int>(blockDim.x))
      memory_[i] = 0;
  }

  __device__ void add(float weight, const CellPlace& place) const {
    if (weight <= static_cast<float>(kWeightUnit) / 2) return;  // rounds to nothing
    unsigned* high = memory_ + place.cubic;
    unsigned* low = high + count();
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      const WeightHalves halves = weight_halves(weight);
      atomicAdd(high + p * cells_, halves.high);
      atomicAdd(low + p * cells_, halves.low);
      weight *= place.t;
    }
  }

  // Adds the sums to those of other chunks, in kWeightUnit, and clears them. Whole numbers: their
  // order does not matter.
  __device__ void move(unsigned long long* to) const {
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < count(); i += static_cast<int>(blockDim.x)) {
      const long long low = static_cast<int>(memory_[count() + i]);
      const long long sum = (static_cast<long long>(memory_[i]) << kHalfBits) + low;
      memory_[i] = 0;
      memory_[count() + i] = 0;
      if (sum != 0) atomicAdd(to + i, static_cast<unsigned long long>(sum));
    }
  }

 private:
  unsigned* memory_;
  int cells_;
};

}  // namespace dispersion

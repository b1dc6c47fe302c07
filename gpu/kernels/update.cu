#include "gpu/kernels/training_kernels.h"

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {
namespace {

// Phase 7: L2, Adam and the transposed copies; the block that is through last writes the step's
// report. Grid [kUpdateBlocks, heads], kUpdateThreads threads, each of four parameters. Block b
// takes a slab of a square kernel, or one of the small tensors.
inline constexpr int kUpdateThreads = 256;
inline constexpr int kUpdateWarps = kUpdateThreads / kWarp;
static_assert(kSlabRows * kWidth == 4 * kUpdateThreads);

// Four neighbours of an array, aligned to 16 bytes.
struct Four {
  float value[4];
};

__device__ Four load_four(const float* from) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  return {{four.x, four.y, four.z, four.w}};
}

__device__ void store_four(const Four& from, float* to) {
  *reinterpret_cast<float4*>(to) = {from.value[0], from.value[1], from.value[2], from.value[3]};
}

// Sum of the parts for an item tensor, the gradient itself for others.
__device__ Four whole_gradient(const GroupMemory& group, int head, int index) {
  if (index >= kItemParameters)
    return load_four(of_head(group.gradient, head, kParameterStride) + index);
  const float* parts =
      group.item_gradient + static_cast<long long>(head) * kItemParts * kItemParameters + index;
  Four part[kItemParts];
#pragma unroll
  for (int p = 0; p < kItemParts; ++p)
    part[p] = load_four(parts + p * kItemParameters);
  Four sum = part[0];
#pragma unroll
  for (int p = 1; p < kItemParts; ++p) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sum.value[i] += part[p].value[i];
  }
  return sum;
}

__device__ bool is_finite(float x) {
  return fabsf(x) <= 3.402823466e38f;  // FLT_MAX; false for NaN
}

// Of one parameter and its moments.
__device__ void update_parameter(const GroupRecipe& recipe, int kind,
                                 const AdamCorrections& correct, float gradient, float& w, float& m,
                                 float& v) {
  const float g = fmaf(recipe.l2_gradient[kind], w, gradient);
  m = fmaf(recipe.first_keeps, m, recipe.first_takes * g);
  v = fmaf(recipe.second_keeps, v, recipe.second_takes * (g * g));
  const float step = m * correct.first / (sqrtf(v * correct.second) + recipe.epsilon);
  w -= recipe.rate * fmaf(recipe.l2_decay[kind], w, step);
}

// Updates the `count` (<= 4) parameters from `index` on; `w` becomes their new values. Returns the
// sum of the squares of the old ones. The numbers after a head's last parameter stay 0.
__device__ double update_four(const GroupMemory& group, int head, int index, int count, int kind,
                              const AdamCorrections& correct, Four& w) {
  float* parameter = of_head(group.parameters, head, kParameterStride) + index;
  float* first = of_head(group.first_moment, head, kParameterStride) + index;
  float* second = of_head(group.second_moment, head, kParameterStride) + index;
  const Four gradient = whole_gradient(group, head, index);
  w = load_four(parameter);
  Four m = load_four(first);
  Four v = load_four(second);
  double squares = 0;
  bool finite = true;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i >= count) {
      w.value[i] = m.value[i] = v.value[i] = 0;
      continue;
    }
    squares = fma(static_cast<double>(w.value[i]), static_cast<double>(w.value[i]), squares);
    update_parameter(group.recipe, kind, correct, gradient.value[i], w.value[i], m.value[i],
                     v.value[i]);
    finite = finite && is_finite(w.value[i]) && is_finite(m.value[i]) && is_finite(v.value[i]);
  }
  store_four(w, parameter);
  store_four(m, first);
  store_four(v, second);
  if (!finite) atomicMax(group.overflowed, kMostHeads - head);
  return squares;
}

// From one row of a slab to the next in shared memory: columns are read without bank conflicts.
inline constexpr int kSlabStride = kWidth + 4;

// The slab's new values, turned round, to the transposed copy.
__device__ void store_transposed(const GroupMemory& group, int head, int square, int first,
                                 const float* slab) {
  const int t = static_cast<int>(threadIdx.x);
  const int channel = t / 2;
  const int row = t % 2 * (kSlabRows / 2);
  Four column;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    column.value[i] = slab[(row + i) * kSlabStride + channel];
  store_four(column, of_head(group.transposed, head, kSquareKernels * kWidth * kWidth) +
                         (square * kWidth + channel) * kWidth + first + row);
}

__device__ double update_slab(const GroupMemory& group, int head, int square, int first,
                              const AdamCorrections& correct, float* slab) {
  const int row = warp_of_thread();
  const int channel = lane_of_thread() * 4;
  const int offset = square_offset(square);
  Four w;
  const double squares =
      update_four(group, head, offset + (first + row) * kWidth + channel, 4, 0, correct, w);
  store_four(w, slab + row * kSlabStride + channel);
  __syncthreads();
  store_transposed(group, head, square, first, slab);
  return squares;
}

__device__ double update_small(const GroupMemory& group, int head, TensorId id,
                               const AdamCorrections& correct) {
  double squares = 0;
  if (square_kernel(id) >= 0) return squares;
  for (int i = 4 * static_cast<int>(threadIdx.x); i < tensor_size(id); i += 4 * kUpdateThreads) {
    Four w;
    squares += update_four(group, head, tensor_offset(id) + i, min(4, tensor_size(id) - i),
                           static_cast<int>(id) % 2, correct, w);
  }
  return squares;
}

// By a warp: the head's report, and on to the next step.
__device__ void report_step(const GroupMemory& group, int head) {
  const int lane = lane_of_thread();
  const int sets = group.recipe.sets;
  const volatile double* of_block = group.squares + head * kUpdateBlocks;
  const std::int64_t step = group.step[head] + 1;
  double l2 = 0;
#pragma unroll
  for (int i = 0; i < (kUpdateBlocks + kWarp - 1) / kWarp; ++i) {
    const int b = i * kWarp + lane;
    l2 += b < kUpdateBlocks ? of_block[b] : 0;
  }
  double loss = 0;
  int correct = 0;
#pragma unroll 4
  for (int s = lane; s < sets; s += kWarp) {
    loss += static_cast<double>(group.set_loss[head * sets + s]);
    correct += group.set_correct[head * sets + s];
  }
  loss = warp_sum(loss);
  correct = warp_sum(correct);
  l2 = warp_sum(l2);
  if (lane != 0) return;
  group.reports[ring_slot(group, head, step)] = {
      step, static_cast<float>(loss / sets), static_cast<float>(l2),
      static_cast<float>(static_cast<double>(correct) / sets)};
  group.step[head] = step;
}

// Whether all other blocks of the grid are through; what they wrote may be read then.
__device__ bool is_last_block(const GroupMemory& group) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(group.arrived, 1) == static_cast<int>(gridDim.x * gridDim.y) - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

// By the last block: the reports of all heads.
__device__ void finish_step(const GroupMemory& group) {
  const int warp = warp_of_thread();
  if (threadIdx.x == 0) *group.arrived = 0;
  // A step of which a head overflowed does not count for any.
  if (const int overflowed = *static_cast<volatile int*>(group.overflowed); overflowed != 0) {
    if (threadIdx.x == 0) *group.failed = overflowed;
    return;
  }
  for (int head = warp; head < group.heads; head += kUpdateWarps)
    report_step(group, head);
}

__global__ void __launch_bounds__(kUpdateThreads, 4) update_kernel(GroupMemory group) {
  alignas(16) __shared__ float slab[kSlabRows * kSlabStride];
  __shared__ double warp_squares[kUpdateWarps];
  const int head = static_cast<int>(blockIdx.y);
  // Of the step before and of the host: there before the gradients are.
  const AdamCorrections correct = group.corrections[ring_slot(group, head, group.step[head] + 1)];
  wait_for_kernel_before();
  if (stopped(group)) return;
  const int block = static_cast<int>(blockIdx.x);
  const bool is_slab = block < kSquareKernels * kSlabs;
  const TensorId small = static_cast<TensorId>(is_slab ? 0 : block - kSquareKernels * kSlabs);
  const double squares = block_sum(
      is_slab ? update_slab(group, head, block / kSlabs, block % kSlabs * kSlabRows, correct, slab)
              : update_small(group, head, small, correct),
      warp_squares, kUpdateWarps);
  const int kind = is_slab ? 0 : static_cast<int>(small) % 2;
  if (threadIdx.x == 0)
    group.squares[head * kUpdateBlocks + block] = squares * group.recipe.l2_loss[kind];
  if (is_last_block(group)) finish_step(group);
}

// Fills the transposed copies from the parameters, when a group is loaded. Grid [kSquareKernels *
// kSlabs, heads].
__global__ void __launch_bounds__(kWidth) transpose_kernel(GroupMemory group) {
  const int head = static_cast<int>(blockIdx.y);
  const int square = static_cast<int>(blockIdx.x) / kSlabs;
  const int first = static_cast<int>(blockIdx.x) % kSlabs * kSlabRows;
  const int channel = static_cast<int>(threadIdx.x);
  const float* from = of_head(group.parameters, head, kParameterStride) + square_offset(square);
  float* to = of_head(group.transposed, head, kSquareKernels * kWidth * kWidth) +
              (square * kWidth + channel) * kWidth + first;
  for (int i = 0; i < kSlabRows; ++i)
    to[i] = from[(first + i) * kWidth + channel];
}

}  // namespace

void launch_update(Stream& stream, const GroupMemory& group) {
  stream.launch(update_kernel,
                {.grid = dim3(kUpdateBlocks, group.heads), .block = kUpdateThreads, .early = true},
                group);
}

void launch_transpose(Stream& stream, const GroupMemory& group) {
  stream.launch(transpose_kernel, {dim3(kSquareKernels * kSlabs, group.heads), kWidth}, group);
}

}  // namespace dispersion

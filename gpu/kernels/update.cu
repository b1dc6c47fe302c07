#include "gpu/kernels/training_kernels.h"

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {
namespace {

// Phase 7: L2, Adam and the transposed copies. Grid [kUpdateBlocks, heads], kWidth threads. Block b
// takes a slab of a square kernel, or one of the small tensors.

// Adam's bias corrections 1 / (1 - beta^t), in double until the end (core/head/adam.h).
struct AdamCorrections {
  float first;
  float second;
};

__device__ AdamCorrections adam_corrections(const GroupMemory& group, int head) {
  const double t = static_cast<double>(group.step[head] + 1);
  return {static_cast<float>(1 / (1 - pow(group.recipe.adam_beta1, t))),
          static_cast<float>(1 / (1 - pow(group.recipe.adam_beta2, t)))};
}

// Sum of the parts for an item tensor, the gradient itself for others.
__device__ float whole_gradient(const GroupMemory& group, int head, int index) {
  if (index >= kItemParameters) return of_head(group.gradient, head, kParameterStride)[index];
  const float* parts =
      group.item_gradient + static_cast<long long>(head) * kItemParts * kItemParameters + index;
  float sum = parts[0];
  for (int p = 1; p < kItemParts; ++p)
    sum += parts[p * kItemParameters];
  return sum;
}

__device__ bool is_finite(float x) {
  return fabsf(x) <= 3.402823466e38f;  // FLT_MAX; false for NaN
}

// Updates one parameter; `w` becomes its new value. Returns the square of the old one.
__device__ double update_parameter(const GroupMemory& group, int head, int index, bool is_kernel,
                                   const AdamCorrections& correct, float& w) {
  const GroupRecipe& recipe = group.recipe;
  const int kind = is_kernel ? 0 : 1;
  float* parameter = of_head(group.parameters, head, kParameterStride) + index;
  float* first = of_head(group.first_moment, head, kParameterStride) + index;
  float* second = of_head(group.second_moment, head, kParameterStride) + index;
  w = *parameter;
  const double square = static_cast<double>(w) * static_cast<double>(w);
  const float g = fmaf(recipe.l2_gradient[kind], w, whole_gradient(group, head, index));
  const float m = fmaf(static_cast<float>(recipe.adam_beta1), *first,
                       static_cast<float>(1 - recipe.adam_beta1) * g);
  const float v = fmaf(static_cast<float>(recipe.adam_beta2), *second,
                       static_cast<float>(1 - recipe.adam_beta2) * (g * g));
  *first = m;
  *second = v;
  const float step = m * correct.first / (sqrtf(v * correct.second) + recipe.epsilon);
  w -= recipe.rate * fmaf(recipe.l2_decay[kind], w, step);
  *parameter = w;
  if (!is_finite(w) || !is_finite(m) || !is_finite(v))
    atomicMax(group.overflowed, kMostHeads - head);
  return square;
}

// The square kernels in the order of square_kernel().
__device__ TensorId square_tensor(int square) {
  constexpr TensorId kTensors[kSquareKernels] = {TensorId::kItem1Kernel,   TensorId::kQuery1Kernel,
                                                 TensorId::kQueryKernel,   TensorId::kKeyKernel,
                                                 TensorId::kValueKernel,   TensorId::kOutKernel,
                                                 TensorId::kReadout0Kernel};
  return kTensors[square];
}

__device__ TensorId small_tensor(int small) {
  constexpr TensorId kTensors[kSmallTensors] = {
      TensorId::kItem0Kernel,  TensorId::kItem0Bias,    TensorId::kItem1Bias,
      TensorId::kQuery0Kernel, TensorId::kQuery0Bias,   TensorId::kQuery1Bias,
      TensorId::kQueryBias,    TensorId::kKeyBias,      TensorId::kValueBias,
      TensorId::kOutBias,      TensorId::kReadout0Bias, TensorId::kReadout1Kernel,
      TensorId::kReadout1Bias};
  return kTensors[small];
}

__device__ double update_slab(const GroupMemory& group, int head, int square, int first,
                              const AdamCorrections& correct) {
  const int channel = static_cast<int>(threadIdx.x);
  const int offset = tensor_offset(square_tensor(square));
  float* transposed = of_head(group.transposed, head, kSquareKernels * kWidth * kWidth) +
                      (square * kWidth + channel) * kWidth + first;
  double squares = 0;
  for (int i = 0; i < kSlabRows; ++i) {
    float w;
    squares +=
        update_parameter(group, head, offset + (first + i) * kWidth + channel, true, correct, w);
    transposed[i] = w;
  }
  return squares;
}

__device__ double update_small(const GroupMemory& group, int head, TensorId id,
                               const AdamCorrections& correct) {
  double squares = 0;
  for (int i = static_cast<int>(threadIdx.x); i < tensor_size(id); i += kWidth) {
    float w;
    squares += update_parameter(group, head, tensor_offset(id) + i, static_cast<int>(id) % 2 == 0,
                                correct, w);
  }
  return squares;
}

// Sum over the block's threads, in a fixed order; thread 0 gets it.
__device__ double block_sum(double value) {
  __shared__ double warps[kWidth / kWarp];
  value = warp_sum(value);
  if (threadIdx.x % kWarp == 0) warps[threadIdx.x / kWarp] = value;
  __syncthreads();
  double sum = 0;
  for (int w = 0; w < kWidth / kWarp; ++w)
    sum += warps[w];
  return sum;
}

__global__ void __launch_bounds__(kWidth) update_kernel(GroupMemory group) {
  __shared__ AdamCorrections correct;
  if (stopped(group)) return;
  const int head = static_cast<int>(blockIdx.y);
  const int block = static_cast<int>(blockIdx.x);
  if (threadIdx.x == 0) correct = adam_corrections(group, head);
  __syncthreads();
  const bool slab = block < kSquareKernels * kSlabs;
  const TensorId small = small_tensor(slab ? 0 : block - kSquareKernels * kSlabs);
  const double squares =
      block_sum(slab ? update_slab(group, head, block / kSlabs, block % kSlabs * kSlabRows, correct)
                     : update_small(group, head, small, correct));
  const bool is_kernel = slab || static_cast<int>(small) % 2 == 0;
  if (threadIdx.x == 0) {
    group.squares[head * kUpdateBlocks + block] = squares * group.recipe.l2_loss[is_kernel ? 0 : 1];
  }
}

// Fills the transposed copies from the parameters, when a group is loaded. Grid [kSquareKernels *
// kSlabs, heads].
__global__ void __launch_bounds__(kWidth) transpose_kernel(GroupMemory group) {
  const int head = static_cast<int>(blockIdx.y);
  const int square = static_cast<int>(blockIdx.x) / kSlabs;
  const int first = static_cast<int>(blockIdx.x) % kSlabs * kSlabRows;
  const int channel = static_cast<int>(threadIdx.x);
  const float* from = tensor(group, head, square_tensor(square));
  float* to = of_head(group.transposed, head, kSquareKernels * kWidth * kWidth) +
              (square * kWidth + channel) * kWidth + first;
  for (int i = 0; i < kSlabRows; ++i)
    to[i] = from[(first + i) * kWidth + channel];
}

// Phase 8: the step's report, and on to the next. Grid [1, heads], one warp.
__global__ void __launch_bounds__(kWarp) finish_kernel(GroupMemory group) {
  if (stopped(group)) return;
  if (*group.overflowed != 0) {  // the step does not count; the blocks of all heads see the same
    if (threadIdx.x == 0) atomicMax(group.failed, *group.overflowed);
    return;
  }
  const int head = static_cast<int>(blockIdx.y);
  const int lane = static_cast<int>(threadIdx.x);
  const int sets = group.recipe.sets;
  double loss = 0;
  int correct = 0;
  for (int s = lane; s < sets; s += kWarp) {
    loss += static_cast<double>(group.set_loss[head * sets + s]);
    correct += group.set_correct[head * sets + s];
  }
  double l2 = 0;
  for (int b = lane; b < kUpdateBlocks; b += kWarp)
    l2 += group.squares[head * kUpdateBlocks + b];
  loss = warp_sum(loss);
  correct = warp_sum(correct);
  l2 = warp_sum(l2);
  if (lane != 0) return;
  const std::int64_t step = group.step[head] + 1;
  group.reports[head * group.ring + static_cast<int>(step % group.ring)] = {
      step, static_cast<float>(loss / sets), static_cast<float>(l2),
      static_cast<float>(static_cast<double>(correct) / sets)};
  group.step[head] = step;
}

}  // namespace

void launch_update(Stream& stream, const GroupMemory& group) {
  stream.launch(update_kernel, {dim3(kUpdateBlocks, group.heads), kWidth}, group);
}

void launch_transpose(Stream& stream, const GroupMemory& group) {
  stream.launch(transpose_kernel, {dim3(kSquareKernels * kSlabs, group.heads), kWidth}, group);
}

void launch_finish(Stream& stream, const GroupMemory& group) {
  stream.launch(finish_kernel, {dim3(1, group.heads), kWarp}, group);
}

}  // namespace dispersion

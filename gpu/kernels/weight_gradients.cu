#include "gpu/kernels/training_kernels.h"

#include "gpu/kernels/group_view.cuh"

namespace dispersion {
namespace {

// Phase 6: gradients of all tensors, sums over rows in ascending order. Grid [kGradientBlocks,
// heads], kWidth threads.
inline constexpr int kItemBlocks = kItemParts * (kSlabs + 1);
inline constexpr int kOtherSlabs = (kSquareKernels - 1) * kSlabs;
inline constexpr int kGradientBlocks = kItemBlocks + kOtherSlabs + 2;

// Marks the group as failed when a gradient is no number, or so large that the square of the sum of
// parts, which Adam's second moment takes, would not be finite (FLT_MAX is 3.4e38).
__device__ void check_gradient(const GroupMemory& group, int head, float gradient) {
  if (fabsf(gradient) < 1e19f / kItemParts) return;
  atomicMax(group.failed, kMostHeads - head);
}

// Inputs and output gradients of a layer: [rows, kWidth] each.
struct LayerRows {
  const float* input;
  const float* output_gradient;
};

// d / d kernel of rows first_input .. + kSlabRows - 1 over the layer's rows first .. last - 1, and
// with the first slab d / d bias.
__device__ void gradient_slab(const GroupMemory& group, int head, const LayerRows& layer, int first,
                              int last, int first_input, float* kernel, float* bias) {
  const int channel = static_cast<int>(threadIdx.x);
  float sums[kSlabRows] = {};
  float total = 0;
  for (int r = first; r < last; ++r) {
    const float gradient = layer.output_gradient[r * kWidth + channel];
    const float* input = layer.input + r * kWidth + first_input;
#pragma unroll
    for (int i = 0; i < kSlabRows; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(input + i);
      sums[i + 0] = fmaf(four.x, gradient, sums[i + 0]);
      sums[i + 1] = fmaf(four.y, gradient, sums[i + 1]);
      sums[i + 2] = fmaf(four.z, gradient, sums[i + 2]);
      sums[i + 3] = fmaf(four.w, gradient, sums[i + 3]);
    }
    total += gradient;
  }
#pragma unroll
  for (int i = 0; i < kSlabRows; ++i) {
    kernel[(first_input + i) * kWidth + channel] = sums[i];
    check_gradient(group, head, sums[i]);
  }
  if (bias != nullptr && first_input == 0) {
    bias[channel] = total;
    check_gradient(group, head, total);
  }
}

// Rows of part `part` of the item network.
__device__ int part_begin(int rows, int part) {
  return rows * part / kItemParts;
}

// First item layer: kernel row 0 meets the priority, row 1 + c the items of class c.
__device__ void first_item_layer_gradient(const GroupMemory& group, int head, int part) {
  const int channel = static_cast<int>(threadIdx.x);
  const int rows = item_rows(group, head);
  const float* gradient = of_head(group.hidden_gradient, head, group.rows * kWidth) + channel;
  float priority = 0;
  float classes[kHeadClasses] = {};
  float bias = 0;
  for (int r = part_begin(rows, part); r < part_begin(rows, part + 1); ++r) {
    const float value = gradient[r * kWidth];
    const int item_class = group.row_class[head * group.rows + r];
    priority = fmaf(group.row_priority[head * group.rows + r], value, priority);
#pragma unroll
    for (int c = 0; c < kHeadClasses; ++c)
      classes[c] += c == item_class ? value : 0.0f;
    bias += value;
  }
  float* to = group.item_gradient +
              (static_cast<long long>(head) * kItemParts + part) * kItemParameters + channel;
  float* kernel = to + tensor_offset(TensorId::kItem0Kernel);
  kernel[0] = priority;
  check_gradient(group, head, priority);
#pragma unroll
  for (int c = 0; c < kHeadClasses; ++c) {
    kernel[(1 + c) * kWidth] = classes[c];
    check_gradient(group, head, classes[c]);
  }
  to[tensor_offset(TensorId::kItem0Bias)] = bias;
}

__device__ void item_gradients(const GroupMemory& group, int head, int block) {
  const int part = block / (kSlabs + 1);
  const int slab = block % (kSlabs + 1);
  if (slab == kSlabs) return first_item_layer_gradient(group, head, part);
  const int size = group.rows * kWidth;
  const int rows = item_rows(group, head);
  float* to =
      group.item_gradient + (static_cast<long long>(head) * kItemParts + part) * kItemParameters;
  gradient_slab(
      group, head,
      {of_head(group.item_hidden, head, size), of_head(group.embedding_slope, head, size)},
      part_begin(rows, part), part_begin(rows, part + 1), slab * kSlabRows,
      to + tensor_offset(TensorId::kItem1Kernel), to + tensor_offset(TensorId::kItem1Bias));
}

__device__ void square_gradient(const GroupMemory& group, int head, int block) {
  const int queries = group.query_rows * kWidth;
  const int sets = group.recipe.sets * kWidth;
  const int first_input = block % kSlabs * kSlabRows;
  const auto slab = [&](TensorId kernel, const float* input, const float* output_gradient, int size,
                        int rows, bool bias) {
    const TensorId bias_id = static_cast<TensorId>(static_cast<int>(kernel) + 1);
    gradient_slab(group, head, {of_head(input, head, size), of_head(output_gradient, head, size)},
                  0, rows, first_input, gradient_of(group, head, kernel),
                  bias ? gradient_of(group, head, bias_id) : nullptr);
  };
  const int query_count = query_rows(group, head);
  switch (block / kSlabs + 1) {
    case square_kernel(TensorId::kQuery1Kernel):
      return slab(TensorId::kQuery1Kernel, group.query_hidden, group.vector_gradient, queries,
                  query_count, true);
    case square_kernel(TensorId::kQueryKernel):
      return slab(TensorId::kQueryKernel, group.query_vector, group.projection_gradient, queries,
                  query_count, true);
    case square_kernel(TensorId::kKeyKernel):
      // score = projection K^T: the gradient of the score is on the input's side.
      return slab(TensorId::kKeyKernel, group.score_gradient, group.query_projection, queries,
                  query_count, false);
    case square_kernel(TensorId::kValueKernel):
      return slab(TensorId::kValueKernel, group.pooled, group.values_gradient, sets,
                  group.recipe.sets, true);
    case square_kernel(TensorId::kOutKernel):
      return slab(TensorId::kOutKernel, group.values, group.attended_gradient, sets,
                  group.recipe.sets, true);
    default:
      return slab(TensorId::kReadout0Kernel, group.attended, group.readout_gradient, sets,
                  group.recipe.sets, true);
  }
}

__device__ void first_query_layer_gradient(const GroupMemory& group, int head) {
  const int channel = static_cast<int>(threadIdx.x);
  const float* gradient = of_head(group.query_gradient, head, group.query_rows * kWidth) + channel;
  float kernel = 0;
  float bias = 0;
  const int rows = query_rows(group, head);
  for (int r = 0; r < rows; ++r) {
    kernel = fmaf(group.row_query[head * group.query_rows + r], gradient[r * kWidth], kernel);
    bias += gradient[r * kWidth];
  }
  gradient_of(group, head, TensorId::kQuery0Kernel)[channel] = kernel;
  gradient_of(group, head, TensorId::kQuery0Bias)[channel] = bias;
  // No weight depends on the key bias.
  gradient_of(group, head, TensorId::kKeyBias)[channel] = 0;
  check_gradient(group, head, kernel);
  check_gradient(group, head, bias);
}

__device__ void last_layer_gradient(const GroupMemory& group, int head) {
  const int channel = static_cast<int>(threadIdx.x);
  const int sets = group.recipe.sets;
  const float* hidden = of_head(group.readout_hidden, head, sets * kWidth) + channel;
  const float* gradient = of_head(group.class_gradient, head, sets * kHeadClasses);
  float sums[kHeadClasses] = {};
  float total = 0;
  for (int s = 0; s < sets; ++s) {
    const float h = hidden[s * kWidth];
#pragma unroll
    for (int c = 0; c < kHeadClasses; ++c)
      sums[c] = fmaf(h, gradient[s * kHeadClasses + c], sums[c]);
    if (channel < kHeadClasses) total += gradient[s * kHeadClasses + channel];
  }
  float* kernel = gradient_of(group, head, TensorId::kReadout1Kernel) + channel * kHeadClasses;
#pragma unroll
  for (int c = 0; c < kHeadClasses; ++c) {
    kernel[c] = sums[c];
    check_gradient(group, head, sums[c]);
  }
  if (channel < kHeadClasses) gradient_of(group, head, TensorId::kReadout1Bias)[channel] = total;
}

__global__ void __launch_bounds__(kWidth) weight_gradients_kernel(GroupMemory group) {
  // No look at `stopped`: which head failed first must not depend on the order of blocks. After a
  // failure the same gradients come out again.
  const int head = static_cast<int>(blockIdx.y);
  const int block = static_cast<int>(blockIdx.x);
  if (block < kItemBlocks) return item_gradients(group, head, block);
  if (block < kItemBlocks + kOtherSlabs) return square_gradient(group, head, block - kItemBlocks);
  if (block == kGradientBlocks - 1) return last_layer_gradient(group, head);
  first_query_layer_gradient(group, head);
}

}  // namespace

void launch_weight_gradients(Stream& stream, const GroupMemory& group) {
  stream.launch(weight_gradients_kernel, {dim3(kGradientBlocks, group.heads), kWidth}, group);
}

}  // namespace dispersion

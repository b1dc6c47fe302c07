#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

// Phase 6: gradients of all tensors, sums over rows in a fixed order. Grid [kGradientBlocks,
// heads], kProductThreads threads. A block computes a slab, up to kSlabRows rows of a kernel's
// gradient: a product of as many columns of the layer's inputs with its output gradients.
inline constexpr int kLayerSlabs = kSlabs + 1;  // the bias lies behind its kernel as one more row
inline constexpr int kFirstSlabs = 2;           // of the first item layer: priority, classes, bias
inline constexpr int kLastSlabs = 2;            // of the last layer, transposed: classes
inline constexpr int kPartBlocks = kLayerSlabs + kFirstSlabs;
inline constexpr int kItemBlocks = kItemParts * kPartBlocks;
inline constexpr int kOtherSlabs = (kSquareKernels - 1) * kLayerSlabs;
inline constexpr int kGradientBlocks = kItemBlocks + kOtherSlabs + kLastSlabs + 1;

using Shared = ProductShared<kSlabRows>;
using Sums = RowSums<kSlabRows>;

// What the columns of a layer's inputs are.
enum class Input {
  kLayer,    // the layer before: [rows, kWidth]
  kItem,     // of an item: its priority, whether it is of class c, and 1 for the bias
  kQuery,    // of a query: itself, and 1 for the bias
  kClasses,  // d / d class logits of a set: [rows, kHeadClasses]
  kBias,     // 1
  kNothing,  // 0: of a bias that no weight depends on
};

struct Slab {
  Input input;
  const float* inputs;           // of kLayer and kClasses
  const float* output_gradient;  // [rows, kWidth]
  int first;                     // rows first .. last - 1 are summed
  int last;
  int column;  // the first of the inputs' columns
  int count;   // of columns
  float* to;   // of the first column: [count, kWidth]; of kClasses [kWidth, kHeadClasses]
};

// Marks the group as failed when a gradient is no number, or so large that the square of the sum of
// parts, which Adam's second moment takes, would not be finite (FLT_MAX is 3.4e38).
__device__ void check_gradient(const GroupMemory& group, int head, float gradient) {
  if (fabsf(gradient) < 1e19f / kItemParts) return;
  atomicMax(group.failed, kMostHeads - head);
}

// A slab of a layer of kWidth inputs, whose gradient is at `kernel`.
__device__ Slab layer_slab(const float* input, const float* output_gradient, int first, int last,
                           int slab, float* kernel) {
  const bool bias = slab == kSlabs;
  return {bias ? Input::kBias : Input::kLayer,
          input,
          output_gradient,
          first,
          last,
          slab * kSlabRows,
          bias ? 1 : kSlabRows,
          kernel + slab * kSlabRows * kWidth};
}

// The item network's tensors, whose rows are cut into parts.
__device__ Slab item_slab(const GroupMemory& group, int head, int block) {
  const int part = block / kPartBlocks;
  const int slab = block % kPartBlocks;
  const int size = group.rows * kWidth;
  const int rows = item_rows(group, head);
  const int first = rows * part / kItemParts;
  const int last = rows * (part + 1) / kItemParts;
  float* to =
      group.item_gradient + (static_cast<long long>(head) * kItemParts + part) * kItemParameters;
  if (slab < kLayerSlabs) {
    return layer_slab(of_head(group.item_hidden, head, size),
                      of_head(group.embedding_slope, head, size), first, last, slab,
                      to + tensor_offset(TensorId::kItem1Kernel));
  }
  constexpr int kColumns = 1 + kHeadClasses + 1;
  static_assert(kColumns <= kFirstSlabs * kSlabRows);
  const int column = (slab - kLayerSlabs) * kSlabRows;
  return {Input::kItem,
          nullptr,
          of_head(group.hidden_gradient, head, size),
          first,
          last,
          column,
          min(kSlabRows, kColumns - column),
          to + tensor_offset(TensorId::kItem0Kernel) + column * kWidth};
}

// The other square kernels and their biases.
__device__ Slab square_slab(const GroupMemory& group, int head, int block) {
  const int square = 1 + block / kLayerSlabs;
  const int queries = group.query_rows * kWidth;
  const int sets = group.recipe.sets * kWidth;
  const auto layer = [&](const float* input, const float* output_gradient, int size, int rows) {
    return layer_slab(of_head(input, head, size), of_head(output_gradient, head, size), 0, rows,
                      block % kLayerSlabs,
                      of_head(group.gradient, head, kParameterStride) + square_offset(square));
  };
  const int query_count = query_rows(group, head);
  switch (square) {
    case square_kernel(TensorId::kQuery1Kernel):
      return layer(group.query_hidden, group.vector_gradient, queries, query_count);
    case square_kernel(TensorId::kQueryKernel):
      return layer(group.query_vector, group.projection_gradient, queries, query_count);
    case square_kernel(TensorId::kKeyKernel): {
      // score = projection K^T: the gradient of the score is on the input's side.
      Slab slab = layer(group.score_gradient, group.query_projection, queries, query_count);
      // No weight depends on the key bias.
      if (slab.input == Input::kBias) slab.input = Input::kNothing;
      return slab;
    }
    case square_kernel(TensorId::kValueKernel):
      return layer(group.pooled, group.values_gradient, sets, group.recipe.sets);
    case square_kernel(TensorId::kOutKernel):
      return layer(group.values, group.attended_gradient, sets, group.recipe.sets);
    default:
      return layer(group.attended, group.readout_gradient, sets, group.recipe.sets);
  }
}

__device__ Slab first_query_slab(const GroupMemory& group, int head) {
  return {Input::kQuery,
          nullptr,
          of_head(group.query_gradient, head, group.query_rows * kWidth),
          0,
          query_rows(group, head),
          0,
          2,
          gradient_of(group, head, TensorId::kQuery0Kernel)};
}

// Last layer: kernel [kWidth, kHeadClasses], whose transpose is the product.
__device__ Slab last_slab(const GroupMemory& group, int head, int slab) {
  const int sets = group.recipe.sets;
  const int column = slab * kSlabRows;
  return {Input::kClasses,
          of_head(group.class_gradient, head, sets * kHeadClasses),
          of_head(group.readout_hidden, head, sets * kWidth),
          0,
          sets,
          column,
          min(kSlabRows, kHeadClasses - column),
          gradient_of(group, head, TensorId::kReadout1Kernel) + column};
}

__device__ Slab slab_of(const GroupMemory& group, int head, int block) {
  if (block < kItemBlocks) return item_slab(group, head, block);
  block -= kItemBlocks;
  if (block < kOtherSlabs) return square_slab(group, head, block);
  block -= kOtherSlabs;
  if (block < kLastSlabs) return last_slab(group, head, block);
  return first_query_slab(group, head);
}

// x[i, row] = input(column, begin + row), computed.
template <class InputAt>
__device__ void store_computed(const Slab& slab, int begin, int count, float* x, InputAt input) {
  const int row = product_channel();
  Sums values;
  // What is past the end repeats the last, so that no branch keeps one read from the next.
#pragma unroll
  for (int j = 0; j < kThreadRows<kSlabRows>; ++j) {
    values[j] =
        input(slab.column + min(product_row(j), slab.count - 1), begin + min(row, count - 1));
  }
#pragma unroll
  for (int j = 0; j < kThreadRows<kSlabRows>; ++j) {
    const bool used = row < count && product_row(j) < slab.count;
    x[product_row(j) * kProductStride + row] = used ? values[j] : 0.0f;
  }
}

// x[i, row] = input i of `count` rows from `begin` on.
__device__ void store_inputs(const GroupMemory& group, int head, const Slab& slab, int begin,
                             int count, float* x) {
  const float* priority = group.row_priority + head * group.rows;
  const std::uint8_t* item_class = group.row_class + head * group.rows;
  const float* query = group.row_query + head * group.query_rows;
  switch (slab.input) {
    case Input::kLayer:
      return store_columns<kSlabRows>(slab.inputs + begin * kWidth + slab.column, kWidth, count, x);
    case Input::kItem:
      return store_computed(slab, begin, count, x, [&](int column, int row) {
        const float number = priority[row];
        const bool is_class = item_class[row] == column - 1;
        return column == 0 ? number : column > kHeadClasses || is_class ? 1.0f : 0.0f;
      });
    case Input::kQuery:
      return store_computed(slab, begin, count, x, [&](int column, int row) {
        const float number = query[row];
        return column == 0 ? number : 1.0f;
      });
    case Input::kClasses:
      return store_computed(slab, begin, count, x, [&](int column, int row) {
        return slab.inputs[row * kHeadClasses + column];
      });
    default: {
      const float value = slab.input == Input::kBias ? 1.0f : 0.0f;
      return store_computed(slab, begin, count, x, [&](int, int) { return value; });
    }
  }
}

// Sum over the slab's rows of output gradients, each times its inputs.
__device__ void sum_over_rows(const GroupMemory& group, int head, const Slab& slab, Shared& shared,
                              Sums& rows) {
  PartSums<kSlabRows> sums = {};
  for (int begin = slab.first; begin < slab.last; begin += kWidth) {
    const int count = min(kWidth, slab.last - begin);
    MatrixPart part;
    if (begin > slab.first) __syncthreads();
    fetch_part(slab.output_gradient + begin * kWidth, part, count);
    store_inputs(group, head, slab, begin, count, shared.x);
    __syncthreads();
    add_part<kSlabRows>(shared.x, part, sums);
  }
  store_part<kSlabRows>(sums, shared);
  join_parts(shared, rows);
}

// d / d bias of the last layer: a warp sums a class.
__device__ void last_bias_gradient(const GroupMemory& group, int head, const Slab& slab) {
  const int i = warp_of_thread();
  if (i >= slab.count) return;
  float total = 0;
#pragma unroll 4
  for (int s = lane_of_thread(); s < slab.last; s += kWarp)
    total += slab.inputs[s * kHeadClasses + slab.column + i];
  total = warp_sum(total);
  if (lane_of_thread() == 0)
    gradient_of(group, head, TensorId::kReadout1Bias)[slab.column + i] = total;
}

__global__ void __launch_bounds__(kProductThreads, 2) weight_gradients_kernel(GroupMemory group) {
  __shared__ Shared shared;
  // No look at `stopped`: which head failed first must not depend on the order of blocks. After a
  // failure the same gradients come out again.
  const int head = static_cast<int>(blockIdx.y);
  __shared__ Slab slab;  // which leaves the registers to the product
  if (threadIdx.x == 0) slab = slab_of(group, head, static_cast<int>(blockIdx.x));
  wait_for_kernel_before();
  __syncthreads();
  Sums rows;
  sum_over_rows(group, head, slab, shared, rows);
  const bool last = slab.input == Input::kClasses;
#pragma unroll
  for (int j = 0; j < kThreadRows<kSlabRows>; ++j) {
    const int i = product_row(j);
    if (i >= slab.count) continue;
    slab.to[last ? product_channel() * kHeadClasses + i : i * kWidth + product_channel()] = rows[j];
    check_gradient(group, head, rows[j]);
  }
  if (last) last_bias_gradient(group, head, slab);
}

}  // namespace

void launch_weight_gradients(Stream& stream, const GroupMemory& group) {
  stream.launch(
      weight_gradients_kernel,
      {.grid = dim3(kGradientBlocks, group.heads), .block = kProductThreads, .early = true}, group);
}

}  // namespace dispersion

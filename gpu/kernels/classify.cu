#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/direct_items.cuh"

namespace dispersion {
namespace {

struct ClassifyShared {
  ProductShared<kTileRows> product;
  float kernel[kWidth * kHeadClasses];
  float class_logits[kTileRows][kHeadClasses];
};

// The last layer, two threads a logit: the first half of the channels, and the second.
__device__ inline void make_class_logits(const EvaluationHead& head, ClassifyShared& shared) {
  constexpr int kHalf = kWidth / 2;
  static_assert(2 * kTileRows * kHeadClasses <= kProductThreads);
  static_assert(2 * kTileRows * kHeadClasses % kWarp == 0);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread >= 2 * kTileRows * kHeadClasses) return;
  const int half = thread % 2;
  const int r = thread / 2 / kHeadClasses;
  const int c = thread / 2 % kHeadClasses;
  const float* x = shared.product.x + r * kProductStride + half * kHalf;
  const float* kernel = shared.kernel + half * kHalf * kHeadClasses + c;
  float sum = half == 0 ? tensor(head, TensorId::kReadout1Bias)[c] : 0.0f;
#pragma unroll 16
  for (int i = 0; i < kHalf; ++i)
    sum = fmaf(x[i], kernel[i * kHeadClasses], sum);
  sum += __shfl_xor_sync(kAllLanes, sum, 1);
  if (half == 0) shared.class_logits[r][c] = sum;
}

// kTileRows pooled embeddings, rows of [sets, transforms].
__global__ void __launch_bounds__(kProductThreads)
    classify_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ ClassifyShared shared;
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = product_channel();
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, memory.sets.sets * memory.transforms.count - first);
  MatrixPart part;
  fetch_part(tensor(head, TensorId::kValueKernel), part);
  RowSums<kTileRows> rows;
  load_rows<kTileRows>(memory.pooled + static_cast<long long>(first) * kWidth, count, rows);
  const float value_bias = tensor(head, TensorId::kValueBias)[channel];
  const float out_bias = tensor(head, TensorId::kOutBias)[channel];
  const float readout_bias = tensor(head, TensorId::kReadout0Bias)[channel];
#pragma unroll
  for (int i = 0; i < kWidth * kHeadClasses / kProductThreads; ++i) {
    const int at = thread + i * kProductThreads;
    shared.kernel[at] = tensor(head, TensorId::kReadout1Kernel)[at];
  }
  dense_layer(shared.product, part, tensor(head, TensorId::kOutKernel), value_bias, rows);
  dense_layer(shared.product, part, tensor(head, TensorId::kReadout0Kernel), out_bias, rows);
  dense_layer(shared.product, part, nullptr, readout_bias, rows);
#pragma unroll
  for (int j = 0; j < kThreadRows<kTileRows>; ++j)
    rows[j] = gelu_point(rows[j]).value;
  store_rows_shared<kTileRows>(rows, shared.product);
  __syncthreads();
  make_class_logits(head, shared);
  __syncthreads();
  if (thread >= count) return;
  TransformScore& result = memory.transform_results[first + thread];
  int predicted = 0;
  for (int c = 0; c < kHeadClasses; ++c) {
    const float logit = shared.class_logits[thread][c];
    result.class_logits[c] = logit;
    if (logit > shared.class_logits[thread][predicted]) predicted = c;
  }
  result.predicted = predicted;
}

}  // namespace

void launch_classify(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory) {
  if (memory.transforms.count == 0) return;
  stream.launch(
      classify_kernel,
      {dim3(row_tiles<kTileRows>(memory.sets.sets * memory.transforms.count)), kProductThreads},
      head, memory);
}

}  // namespace dispersion

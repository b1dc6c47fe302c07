#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/direct_items.cuh"

namespace dispersion {
namespace {

// kTileRows pooled embeddings, rows of [sets, transforms].
__global__ void __launch_bounds__(kWidth)
    classify_kernel(EvaluationHead head, EvaluationMemory memory) {
  alignas(16) __shared__ float shared[kTileRows * kWidth];
  __shared__ float class_logits[kTileRows][kHeadClasses];
  const int channel = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, memory.sets.sets * memory.transforms.count - first);
  TileSums tile;
  load_rows(memory.pooled + static_cast<long long>(first) * kWidth, count, channel, tile);
  const auto layer = [&](TensorId kernel, TensorId bias) {
    store_shared(tile, channel, shared);
    dense_tile(shared, tensor(head, kernel), tensor(head, bias)[channel], channel, tile);
  };
  layer(TensorId::kValueKernel, TensorId::kValueBias);
  layer(TensorId::kOutKernel, TensorId::kOutBias);
  layer(TensorId::kReadout0Kernel, TensorId::kReadout0Bias);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] = gelu_point(tile[r]).value;
  store_shared(tile, channel, shared);
  __syncthreads();
  const float* kernel = tensor(head, TensorId::kReadout1Kernel);
  for (int t = channel; t < count * kHeadClasses; t += kWidth) {
    const int r = t / kHeadClasses;
    const int c = t % kHeadClasses;
    float sum = tensor(head, TensorId::kReadout1Bias)[c];
#pragma unroll 16
    for (int i = 0; i < kWidth; ++i)
      sum = fmaf(shared[r * kWidth + i], kernel[i * kHeadClasses + c], sum);
    class_logits[r][c] = sum;
  }
  __syncthreads();
  if (channel >= count) return;
  TransformScore& result = memory.transform_results[first + channel];
  int predicted = 0;
  for (int c = 0; c < kHeadClasses; ++c) {
    const float logit = class_logits[channel][c];
    result.class_logits[c] = logit;
    if (logit > class_logits[channel][predicted]) predicted = c;
  }
  result.predicted = predicted;
}

}  // namespace

void launch_classify(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory) {
  if (memory.transforms.count == 0) return;
  stream.launch(classify_kernel, {dim3(tiles(memory.sets.sets * memory.transforms.count)), kWidth},
                head, memory);
}

}  // namespace dispersion

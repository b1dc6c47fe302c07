#pragma once

#include "core/math/gelu_point.h"
#include "gpu/kernels/set_tile.cuh"

namespace dispersion {

struct ReadoutShared {
  alignas(16) float rows[kTileRows * kWidth];
  float class_logits[kTileRows][kHeadClasses];
  float class_gradient[kTileRows][kHeadClasses];
};

// Cross-entropy of one set, what was answered, and d / d class logits.
__device__ inline void classify_set(const SetTile& tile, int s, ReadoutShared& shared) {
  const GroupMemory& group = tile.group;
  // The label: the class of the first largest priority.
  int largest = 0;
  for (int i = 1; i < tile.items; ++i) {
    if (group.priority[tile.item(s, i)] > group.priority[tile.item(s, largest)]) largest = i;
  }
  const int label = group.item_class[tile.item(s, largest)];
  const float* logits = shared.class_logits[s];
  int answer = 0;
  for (int c = 1; c < kHeadClasses; ++c) {
    if (logits[c] > logits[answer]) answer = c;
  }
  double sum = 0;
  for (int c = 0; c < kHeadClasses; ++c)
    sum += exp(static_cast<double>(logits[c]) - static_cast<double>(logits[answer]));
  const double distance = static_cast<double>(logits[label]) - static_cast<double>(logits[answer]);
  group.set_loss[tile.set(s)] = static_cast<float>(log(sum) - distance);
  group.set_correct[tile.set(s)] = answer == label ? 1 : 0;
  for (int c = 0; c < kHeadClasses; ++c) {
    const float weight = static_cast<float>(
        exp(static_cast<double>(logits[c]) - static_cast<double>(logits[answer])) / sum);
    shared.class_gradient[s][c] =
        (c == label ? weight - 1.0f : weight) / static_cast<float>(group.recipe.sets);
  }
}

// From the pooled embedding of a tile to the loss, and back to d / d pooled, which is left in
// shared.rows.
__device__ inline void readout_tile(const SetTile& tile, ReadoutShared& shared, TileSums& rows) {
  const GroupMemory& group = tile.group;
  const int head = tile.head;
  const int channel = tile.thread();
  const int at = tile.set(0) * kWidth;
  const auto forward = [&](TensorId kernel, TensorId bias, float* to) {
    store_shared(rows, channel, shared.rows);
    dense_tile(shared.rows, tensor(group, head, kernel), tensor(group, head, bias)[channel],
               channel, rows);
    if (to != nullptr) store_rows(rows, tile.count, channel, to + at);
  };
  const auto back = [&](TensorId kernel, float* to) {
    store_shared(rows, channel, shared.rows);
    dense_tile(shared.rows, transposed_tensor(group, head, kernel), 0.0f, channel, rows);
    store_rows(rows, tile.count, channel, to + at);
  };

  store_rows(rows, tile.count, channel, group.pooled + at);
  forward(TensorId::kValueKernel, TensorId::kValueBias, group.values);
  forward(TensorId::kOutKernel, TensorId::kOutBias, group.attended);
  forward(TensorId::kReadout0Kernel, TensorId::kReadout0Bias, nullptr);
  TileSums slope;
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    const GeluPoint<float> point = gelu_point(rows[r]);
    rows[r] = point.value;
    slope[r] = point.slope;
  }
  store_rows(rows, tile.count, channel, group.readout_hidden + at);
  store_shared(rows, channel, shared.rows);
  __syncthreads();

  const float* kernel = tensor(group, head, TensorId::kReadout1Kernel);
  for (int t = channel; t < kTileRows * kHeadClasses; t += kWidth) {
    const int s = t / kHeadClasses;
    const int c = t % kHeadClasses;
    float sum = tensor(group, head, TensorId::kReadout1Bias)[c];
    for (int i = 0; i < kWidth; ++i)
      sum = fmaf(shared.rows[s * kWidth + i], kernel[i * kHeadClasses + c], sum);
    shared.class_logits[s][c] = sum;
    shared.class_gradient[s][c] = 0;
  }
  __syncthreads();
  if (channel < tile.count) classify_set(tile, channel, shared);
  __syncthreads();
  for (int t = channel; t < tile.count * kHeadClasses; t += kWidth) {
    group.class_gradient[tile.set(0) * kHeadClasses + t] =
        shared.class_gradient[t / kHeadClasses][t % kHeadClasses];
  }

#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    float sum = 0;
    for (int c = 0; c < kHeadClasses; ++c)
      sum = fmaf(shared.class_gradient[r][c], kernel[channel * kHeadClasses + c], sum);
    rows[r] = sum * slope[r];
  }
  store_rows(rows, tile.count, channel, group.readout_gradient + at);
  back(TensorId::kReadout0Kernel, group.attended_gradient);
  back(TensorId::kOutKernel, group.values_gradient);
  back(TensorId::kValueKernel, group.pooled_gradient);
  store_shared(rows, channel, shared.rows);
  __syncthreads();
}

}  // namespace dispersion

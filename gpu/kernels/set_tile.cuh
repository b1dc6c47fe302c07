#pragma once

#include "core/math/exponential.h"
#include "core/math/gelu.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {

// kTileRows sets of a batch, in one block of kWidth threads.
struct SetTile {
  const GroupMemory& group;
  int head;
  int first;  // set
  int count;  // sets
  int items;  // of a set

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int set(int s) const { return head * group.recipe.sets + first + s; }
  // Index of an item in arrays [heads, sets, most_items].
  __device__ int item(int s, int i) const { return set(s) * group.recipe.largest_set + i; }
};

// Attention weights of every set from item_logits, one warp a set; the largest logit is taken off
// in double.
__device__ inline void softmax_tile(const SetTile& tile) {
  const int lane = tile.thread() % kWarp;
  for (int s = tile.thread() / kWarp; s < tile.count; s += kWidth / kWarp) {
    const double* logits = tile.group.item_logits + tile.item(s, 0);
    float* weights = tile.group.weights + tile.item(s, 0);
    double top = -INFINITY;
    for (int i = lane; i < tile.items; i += kWarp)
      top = logits[i] > top ? logits[i] : top;
    top = warp_largest(top);
    double sum = 0;
    for (int i = lane; i < tile.items; i += kWarp) {
      const float weight = exponential(static_cast<float>(logits[i] - top));
      weights[i] = weight;
      sum += static_cast<double>(weight);
    }
    const float inverse = static_cast<float>(1 / warp_sum(sum));
    for (int i = lane; i < tile.items; i += kWarp)
      weights[i] *= inverse;
  }
}

// From d / d weights to d / d logits, in place.
__device__ inline void softmax_backward_tile(const SetTile& tile) {
  const int lane = tile.thread() % kWarp;
  for (int s = tile.thread() / kWarp; s < tile.count; s += kWidth / kWarp) {
    const float* weights = tile.group.weights + tile.item(s, 0);
    float* gradient = tile.group.weight_gradient + tile.item(s, 0);
    double sum = 0;
    double weighted = 0;
    for (int i = lane; i < tile.items; i += kWarp) {
      sum += static_cast<double>(weights[i]);
      weighted += static_cast<double>(weights[i]) * static_cast<double>(gradient[i]);
    }
    const double mean = warp_sum(weighted) / warp_sum(sum);
    for (int i = lane; i < tile.items; i += kWarp) {
      gradient[i] = static_cast<float>(static_cast<double>(weights[i]) *
                                       (static_cast<double>(gradient[i]) - mean));
    }
  }
}

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
  const long long at = static_cast<long long>(tile.set(0)) * kWidth;  // over all heads
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

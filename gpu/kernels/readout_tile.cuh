#pragma once

#include <bit>

#include "core/math/gelu.h"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/warp_sums.cuh"

namespace dispersion {

template <int kSets>
struct ReadoutShared {
  ProductShared<kSets> product;
  int labels[kSets];
};

// The last layer: its kernel at a lane's channels, [kLaneChannels, kHeadClasses], and the bias of
// the class of the lane's number.
struct ClassLayer {
  float value[kLaneChannels * kHeadClasses];
  float bias;
};

__device__ inline void fetch_class_layer(const float* kernel, const float* bias, ClassLayer& part) {
  constexpr int kFours = kLaneChannels * kHeadClasses / 4;
  const float4* from = reinterpret_cast<const float4*>(kernel) + lane_of_thread() * kFours;
#pragma unroll
  for (int i = 0; i < kFours; ++i) {
    const float4 four = from[i];
    part.value[4 * i + 0] = four.x;
    part.value[4 * i + 1] = four.y;
    part.value[4 * i + 2] = four.z;
    part.value[4 * i + 3] = four.w;
  }
  part.bias = bias[min(lane_of_thread(), kHeadClasses - 1)];
}

// h K + bias of one row h; the lane has the class of its number, and minus infinity beyond.
__device__ inline float class_logit(const float* row, const ClassLayer& layer) {
  constexpr int kPadded = 16;
  const int lane = lane_of_thread();
  const float4 h = *reinterpret_cast<const float4*>(row + kLaneChannels * lane);
  float sums[kPadded] = {};
#pragma unroll
  for (int c = 0; c < kHeadClasses; ++c) {
    sums[c] = h.x * layer.value[c];
    sums[c] = fmaf(h.y, layer.value[kHeadClasses + c], sums[c]);
    sums[c] = fmaf(h.z, layer.value[2 * kHeadClasses + c], sums[c]);
    sums[c] = fmaf(h.w, layer.value[3 * kHeadClasses + c], sums[c]);
  }
  const float sum = warp_sums(sums);
  return lane < kHeadClasses ? sum + layer.bias : -INFINITY;
}

// g K^T, the way back: a lane's class gradient to its channels of a row.
__device__ inline void class_backward(float gradient, const ClassLayer& layer, float* row) {
  float sums[kLaneChannels] = {};
#pragma unroll
  for (int c = 0; c < kHeadClasses; ++c) {
    const float of_class = __shfl_sync(kAllLanes, gradient, c);
#pragma unroll
    for (int i = 0; i < kLaneChannels; ++i)
      sums[i] = fmaf(of_class, layer.value[i * kHeadClasses + c], sums[i]);
  }
  *reinterpret_cast<float4*>(row + kLaneChannels * lane_of_thread()) = {sums[0], sums[1], sums[2],
                                                                        sums[3]};
}

// Cross-entropy of one set, what was answered, and d / d class logits, by a warp; a lane is a
// class.
template <int kSets>
__device__ inline float classify_set(const SetTile<kSets>& tile, int s, float logit, int label) {
  const GroupMemory& group = tile.group;
  const int lane = lane_of_thread();
  const float top = warp_largest(logit);
  const double power =
      lane < kHeadClasses ? exp(static_cast<double>(logit) - static_cast<double>(top)) : 0.0;
  const double sum = warp_sum(power);
  // The first largest; logits that are not numbers equal nothing.
  const int answer = std::countr_zero(__ballot_sync(kAllLanes, logit == top));
  const double distance =
      static_cast<double>(__shfl_sync(kAllLanes, logit, label)) - static_cast<double>(top);
  if (lane == 0) {
    group.set_loss[tile.set(s)] = static_cast<float>(log(sum) - distance);
    group.set_correct[tile.set(s)] = answer == label ? 1 : 0;
  }
  const float weight = static_cast<float>(power / sum);
  const float gradient =
      (lane == label ? weight - 1.0f : weight) / static_cast<float>(group.recipe.sets);
  if (lane < kHeadClasses)
    group.class_gradient[static_cast<long long>(tile.set(s)) * kHeadClasses + lane] = gradient;
  return gradient;
}

// From readout_hidden before GELU to d / d of the same.
template <int kSets>
__device__ inline void classify_tile(const SetTile<kSets>& tile, ReadoutShared<kSets>& shared,
                                     const ClassLayer& layer, RowSums<kSets>& rows) {
  const GroupMemory& group = tile.group;
  const long long at = static_cast<long long>(tile.set(0)) * kWidth;
  RowSums<kSets> slope;
#pragma unroll
  for (int j = 0; j < kThreadRows<kSets>; ++j) {
    const GeluPoint<float> point = gelu_point(rows[j]);
    rows[j] = point.value;
    slope[j] = point.slope;
  }
  store_rows<kSets>(rows, tile.count, group.readout_hidden + at);
  store_rows_shared<kSets>(rows, shared.product);
  __syncthreads();
  if (const int s = warp_of_thread(); s < tile.count) {
    float* row = shared.product.x + s * kProductStride;
    const float logit = class_logit(row, layer);
    const float gradient = classify_set(tile, s, logit, shared.labels[s]);
    class_backward(gradient, layer, row);
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kThreadRows<kSets>; ++j)
    rows[j] = shared.product.x[product_row(j) * kProductStride + product_channel()] * slope[j];
  store_rows<kSets>(rows, tile.count, group.readout_gradient + at);
}

// From the pooled embedding of a tile to the loss, and back to d / d pooled, which is left in
// shared.product.x. part: the value kernel.
template <int kSets>
__device__ inline void readout_tile(const SetTile<kSets>& tile, ReadoutShared<kSets>& shared,
                                    MatrixPart& part, RowSums<kSets>& rows) {
  const GroupMemory& group = tile.group;
  const int head = tile.head;
  const long long at = static_cast<long long>(tile.set(0)) * kWidth;
  const auto layer = [&](auto next, float bias, float* to) {
    dense_layer(shared.product, part, next, bias, rows);
    if (to != nullptr) store_rows<kSets>(rows, tile.count, to + at);
  };
  const auto bias = [&](TensorId id) { return tensor(group, head, id)[product_channel()]; };
  const float value_bias = bias(TensorId::kValueBias);
  const float out_bias = bias(TensorId::kOutBias);
  const float readout_bias = bias(TensorId::kReadout0Bias);

  store_rows<kSets>(rows, tile.count, group.pooled + at);
  layer(tensor(group, head, TensorId::kOutKernel), value_bias, group.values);
  layer(tensor(group, head, TensorId::kReadout0Kernel), out_bias, group.attended);
  ClassLayer last;
  fetch_class_layer(tensor(group, head, TensorId::kReadout1Kernel),
                    tensor(group, head, TensorId::kReadout1Bias), last);
  layer(transposed_tensor(group, head, TensorId::kReadout0Kernel), readout_bias, nullptr);
  classify_tile(tile, shared, last, rows);
  layer(transposed_tensor(group, head, TensorId::kOutKernel), 0.0f, group.attended_gradient);
  layer(transposed_tensor(group, head, TensorId::kValueKernel), 0.0f, group.values_gradient);
  layer(nullptr, 0.0f, group.pooled_gradient);
  store_rows_shared<kSets>(rows, shared.product);
  __syncthreads();
}

}  // namespace dispersion

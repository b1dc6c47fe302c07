#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_score.cuh"
#include "gpu/kernels/direct_items.cuh"

namespace dispersion {
namespace {

// Score vectors u = K^T (Q psi_q(q) + b_Q) / sqrt(width) of kTileRows sets, and what the key bias
// adds to every logit.
__global__ void __launch_bounds__(kWidth)
    score_vectors_kernel(EvaluationHead head, EvaluationMemory memory) {
  alignas(16) __shared__ float shared[kTileRows * kWidth];
  __shared__ float sums[kWidth / kWarp];
  const int channel = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, memory.sets.sets - first);
  const float slope = tensor(head, TensorId::kQuery0Kernel)[channel];
  const float bias = tensor(head, TensorId::kQuery0Bias)[channel];
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    const float query = evaluation_query(memory.sets, first + min(r, count - 1));
    shared[r * kWidth + channel] = gelu_point(fmaf(query, slope, bias)).value;
  }
  TileSums tile;
  dense_tile(shared, tensor(head, TensorId::kQuery1Kernel),
             tensor(head, TensorId::kQuery1Bias)[channel], channel, tile);
  store_shared(tile, channel, shared);
  dense_tile(shared, tensor(head, TensorId::kQueryKernel),
             tensor(head, TensorId::kQueryBias)[channel], channel, tile);
  const float scale = 1.0f / sqrtf(static_cast<float>(kWidth));
  const float key_bias = tensor(head, TensorId::kKeyBias)[channel];
  for (int r = 0; r < kTileRows; ++r) {
    const float offset = block_sum(tile[r] * key_bias, sums);
    if (channel == 0 && r < count) memory.score_offsets[first + r] = offset * scale;
  }
  store_shared(tile, channel, shared);
  dense_tile(shared, head.key_transposed, 0.0f, channel, tile);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] *= scale;
  store_rows(tile, count, channel, memory.score_vectors + first * kWidth);
}

// Logits of a tile's items, to shared memory.
__device__ void tile_logits(const TileSums& tile, float u, int count, float (*partial)[kTileRows],
                            float* logits) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    const float sum = warp_sum(tile[r] * u);
    if (lane == 0) partial[threadIdx.x / kWarp][r] = sum;
  }
  __syncthreads();
  const int r = static_cast<int>(threadIdx.x);
  if (r >= count) return;
  float logit = partial[0][r];
  for (int w = 1; w < kWidth / kWarp; ++w)
    logit += partial[w][r];
  logits[r] = logit;
}

struct DirectShared {
  ItemTileShared tile;
  float partial[kWidth / kWarp][kTileRows];
  ScoreShared score;
};

__global__ void __launch_bounds__(kWidth)
    direct_scores_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ DirectShared shared;
  float* logits = dynamic_shared<float>();
  const int set = static_cast<int>(blockIdx.y);
  const int chunk = static_cast<int>(blockIdx.x);
  const int channel = static_cast<int>(threadIdx.x);
  const int begin = chunk_begin(chunk);
  const int end = chunk_end(memory.sets, chunk);
  const float u = memory.score_vectors[set * kWidth + channel];
  const float offset = memory.score_offsets[set];
  LargestPriority priority{-1, memory.sets.items, 0, 0};
  for (int first = begin; first < end; first += kTileRows) {
    const int count = min(kTileRows, end - first);
    TileSums tile;
    embed_items(head, memory.sets, set, first, count, shared.tile, tile);
    tile_logits(tile, u, count, shared.partial, logits + (first - begin));
    if (channel < count) {
      const DrawnItem& item = shared.tile.items[channel];
      priority = join_priorities(priority, {item.priority, first + channel, item.item_class, 1});
    }
  }
  __syncthreads();
  for (int i = channel; i < end - begin; i += kWidth)
    logits[i] += offset;
  __syncthreads();
  score_chunk(memory.transforms, logits, end - begin, priority, shared.score,
              memory.chunk_scores[set * static_cast<int>(gridDim.x) + chunk]);
  if (memory.logits == nullptr) return;
  float* to = memory.logits + static_cast<long long>(set) * memory.sets.items;
  for (int i = begin + channel; i < end; i += kWidth)
    to[i] = logits[i - begin];
}

__global__ void __launch_bounds__(kWidth)
    direct_pool_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ DirectShared shared;
  __shared__ float logits[kTileRows];
  __shared__ float weights[kMostTransforms][kTileRows];
  const int set = static_cast<int>(blockIdx.y);
  const int chunk = static_cast<int>(blockIdx.x);
  const int channel = static_cast<int>(threadIdx.x);
  const int begin = chunk_begin(chunk);
  const int end = chunk_end(memory.sets, chunk);
  const int transforms = memory.transforms.count;
  const SetScore& score = memory.set_scores[set];
  const float u = memory.score_vectors[set * kWidth + channel];
  const float offset = memory.score_offsets[set];
  float pooled[kMostTransforms] = {};
  double sum = 0;       // of transform `channel`
  double weighted = 0;  // likewise
  int best = memory.sets.items;
  for (int first = begin; first < end; first += kTileRows) {
    const int count = min(kTileRows, end - first);
    TileSums tile;
    embed_items(head, memory.sets, set, first, count, shared.tile, tile);
    tile_logits(tile, u, count, shared.partial, logits);
    __syncthreads();
    // A thread per transform takes the tile's items in order.
    if (channel < transforms) {
      const AttentionTransform& transform = memory.transforms.transform[channel];
      const bool hard = transform.id == TransformId::kHard;
      const float scale = hard ? 0.0f : static_cast<float>(score.beta[channel] / transform.theta);
      for (int r = 0; r < count; ++r) {
        const float below = logits[r] + offset - score.largest;
        const float t = scale * below;
        const float weight = hard ? (below == 0 ? 1.0f : 0.0f) : exponential(t);
        weights[channel][r] = weight;
        sum += static_cast<double>(weight);
        weighted += static_cast<double>(weight * t);
        if (below == 0 && first + r < best) best = first + r;
        if (first + r == score.priority_item)
          memory.weight_on_max[set * transforms + channel] = weight;
      }
    }
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kMostTransforms; ++m) {
      for (int r = 0; m < transforms && r < count; ++r)
        pooled[m] = fmaf(weights[m][r], tile[r], pooled[m]);
    }
  }
  const int row = set * static_cast<int>(gridDim.x) + chunk;
  ChunkPool& pool = memory.chunk_pools[row];
  if (channel < transforms) {
    pool.sum[channel] = sum;
    pool.weighted_sum[channel] = weighted;
  }
  if (channel == 0) {
    pool.best_logit = best < memory.sets.items ? 0 : -1;
    pool.best_item = best;
  }
#pragma unroll
  for (int m = 0; m < kMostTransforms; ++m) {
    if (m < transforms)
      memory.chunk_pooled[(static_cast<long long>(row) * transforms + m) * kWidth + channel] =
          pooled[m];
  }
}

// Adds up the chunks of a set and transform, in order, and divides by the sum of the weights.
__global__ void __launch_bounds__(kWidth)
    pool_chunks_kernel(EvaluationMemory memory, int chunk_count) {
  const int row = static_cast<int>(blockIdx.x);  // set and transform
  const int transforms = memory.transforms.count;
  const int set = row / transforms;
  const int m = row % transforms;
  const int channel = static_cast<int>(threadIdx.x);
  double sum = 0;
  double pooled = 0;
  for (int c = 0; c < chunk_count; ++c) {
    const int chunk = set * chunk_count + c;
    sum += memory.chunk_pools[chunk].sum[m];
    pooled += static_cast<double>(
        memory.chunk_pooled[(static_cast<long long>(chunk) * transforms + m) * kWidth + channel]);
  }
  memory.pooled[static_cast<long long>(row) * kWidth + channel] = static_cast<float>(pooled / sum);
}

}  // namespace

void launch_direct_scores(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory) {
  stream.launch(score_vectors_kernel, {dim3(tiles(memory.sets.sets)), kWidth}, head, memory);
  stream.launch(
      direct_scores_kernel,
      {dim3(chunks(memory.sets.items), memory.sets.sets), kWidth, kChunkItems * sizeof(float)},
      head, memory);
}

void launch_direct_pool(Stream& stream, const EvaluationHead& head,
                        const EvaluationMemory& memory) {
  const int chunk_count = chunks(memory.sets.items);
  stream.launch(direct_pool_kernel, {dim3(chunk_count, memory.sets.sets), kWidth}, head, memory);
  if (memory.transforms.count == 0) return;  // nothing is pooled
  stream.launch(pool_chunks_kernel, {dim3(memory.sets.sets * memory.transforms.count), kWidth},
                memory, chunk_count);
}

}  // namespace dispersion

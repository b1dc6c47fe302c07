#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/best_logit.cuh"
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
  __shared__ float logits[kDirectChunkItems];
  const int channel = static_cast<int>(threadIdx.x);
  for_each_chunk(memory.sets, kDirectChunkItems, [&](const ChunkPlace& chunk) {
    const float u = memory.score_vectors[chunk.set * kWidth + channel];
    const float offset = memory.score_offsets[chunk.set];
    LargestPriority priority{-1, memory.sets.items, 0, 0};
    for (int first = 0; first < chunk.count; first += kTileRows) {
      const int count = min(kTileRows, chunk.count - first);
      TileSums tile;
      embed_items(head, memory.sets, chunk.set, chunk.begin + first, count, shared.tile, tile);
      tile_logits(tile, u, count, shared.partial, logits + first);
      if (channel < count) {
        const DrawnItem& item = shared.tile.items[channel];
        priority = join_priorities(
            priority, {item.priority, chunk.begin + first + channel, item.item_class, 1});
      }
    }
    __syncthreads();
    float of_thread[kDirectChunkItems / kWidth];
#pragma unroll
    for (int j = 0; j < kDirectChunkItems / kWidth; ++j)
      of_thread[j] = logits[min(item_of_thread(j), chunk.count - 1)] + offset;
    score_chunk(memory.transforms, of_thread, chunk.count, priority, shared.score,
                memory.chunk_scores[chunk.piece]);
    if (memory.logits != nullptr) store_logits(of_thread, chunk, 0.0f, memory);
  });
}

// What a thread adds up over the tiles of a chunk: a row of the tiles under a transform.
struct TileRowSums {
  CompensatedSum sum;
  CompensatedSum weighted;
};

struct DirectPoolShared {
  ItemTileShared tile;
  float partial[kWidth / kWarp][kTileRows];
  float logits[kTileRows];
  float weights[kMostTransforms][kTileRows];
  BestLogit best[kWidth / kWarp];
};
static_assert(kMostTransforms * kTileRows <= kWidth && kWarp % kTileRows == 0);

// Weights of a tile's items first .. first + count - 1, a thread per transform and item; 0 past the
// end.
__device__ inline void weigh_tile(const EvaluationMemory& memory, int set, int first, int count,
                                  DirectPoolShared& shared, TileRowSums& sums) {
  const int m = static_cast<int>(threadIdx.x) / kTileRows;
  const int r = static_cast<int>(threadIdx.x) % kTileRows;
  if (m >= memory.transforms.count) return;
  const SetScore& score = memory.set_scores[set];
  const TransformWeight transform{score.scale[m],
                                  memory.transforms.transform[m].id == TransformId::kHard};
  WeightPoint point{0, 0};
  if (r < count) {
    point = transform.at(shared.logits[r] + memory.score_offsets[set] - score.largest);
    sums.sum.add(point.weight);
    sums.weighted.add(point.weight * point.exponent);
    if (first + r == score.priority_item)
      memory.weight_on_max[set * memory.transforms.count + m] = point.weight;
  }
  shared.weights[m][r] = point.weight;
}

// The sums over the rows of the tiles, as a tree of fixed shape; by all threads of the block.
__device__ inline void store_sums(const EvaluationMemory& memory, const TileRowSums& sums,
                                  ChunkPool& pool) {
  double sum = sums.sum.value();
  double weighted = sums.weighted.value();
  for (int distance = kTileRows / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
    weighted += __shfl_xor_sync(kAllLanes, weighted, distance);
  }
  const int m = static_cast<int>(threadIdx.x) / kTileRows;
  if (m >= memory.transforms.count || threadIdx.x % kTileRows != 0) return;
  pool.sum[m] = sum;
  pool.weighted_sum[m] = weighted;
}

__global__ void __launch_bounds__(kWidth)
    direct_pool_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ DirectPoolShared shared;
  const int channel = static_cast<int>(threadIdx.x);
  const int transforms = memory.transforms.count;
  for_each_chunk(memory.sets, kDirectChunkItems, [&](const ChunkPlace& chunk) {
    const float u = memory.score_vectors[chunk.set * kWidth + channel];
    const float largest = memory.set_scores[chunk.set].largest;
    const float offset = memory.score_offsets[chunk.set];
    float pooled[kMostTransforms] = {};
    TileRowSums sums;
    BestLogit best = no_logit(memory.sets);
    for (int first = 0; first < chunk.count; first += kTileRows) {
      const int count = min(kTileRows, chunk.count - first);
      TileSums tile;
      embed_items(head, memory.sets, chunk.set, chunk.begin + first, count, shared.tile, tile);
      tile_logits(tile, u, count, shared.partial, shared.logits);
      __syncthreads();
      if (channel < count && shared.logits[channel] + offset == largest)
        best = join_best(best, {static_cast<double>(largest), chunk.begin + first + channel});
      weigh_tile(memory, chunk.set, chunk.begin + first, count, shared, sums);
      __syncthreads();
#pragma unroll
      for (int m = 0; m < kMostTransforms; ++m) {
        if (m >= transforms) break;
#pragma unroll
        for (int r = 0; r < kTileRows; ++r)
          pooled[m] = fmaf(shared.weights[m][r], tile[r], pooled[m]);
      }
    }
    ChunkPool& pool = memory.chunk_pools[chunk.piece];
    store_sums(memory, sums, pool);
    best = block_join(best, shared.best, join_best);
    if (channel == 0) {
      pool.best_logit = best.logit;
      pool.best_item = best.item;
    }
#pragma unroll
    for (int m = 0; m < kMostTransforms; ++m) {
      if (m < transforms)
        memory.chunk_pooled[(static_cast<long long>(chunk.piece) * transforms + m) * kWidth +
                            channel] = pooled[m];
    }
  });
}

// The chunks of a set are cut into this many parts, whose sums are added in order.
constexpr int kChunkParts = 4;

// Adds up the chunks of a set and transform, and divides by the sum of the weights.
__global__ void __launch_bounds__(kWidth* kChunkParts)
    pool_chunks_kernel(EvaluationMemory memory, int chunk_count) {
  __shared__ double sums[kChunkParts][kWidth];
  const int row = static_cast<int>(blockIdx.x);  // set and transform
  const int transforms = memory.transforms.count;
  const int set = row / transforms;
  const int channel = static_cast<int>(threadIdx.x) % kWidth;
  const int part = static_cast<int>(threadIdx.x) / kWidth;
  const float* of_chunks =
      memory.chunk_pooled +
      (static_cast<long long>(set) * chunk_count * transforms + row % transforms) * kWidth +
      channel;
  CompensatedSum sum;
#pragma unroll 8
  for (int c = part; c < chunk_count; c += kChunkParts)
    sum.add(of_chunks[static_cast<long long>(c) * transforms * kWidth]);
  sums[part][channel] = sum.value();
  __syncthreads();
  if (part > 0) return;
  double pooled = sums[0][channel];
  for (int p = 1; p < kChunkParts; ++p)
    pooled += sums[p][channel];
  memory.pooled[static_cast<long long>(row) * kWidth + channel] =
      static_cast<float>(pooled / memory.weight_sums[row]);
}

}  // namespace

void launch_direct_scores(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory) {
  stream.launch(score_vectors_kernel, {dim3(tiles(memory.sets.sets)), kWidth}, head, memory);
  stream.launch(direct_scores_kernel, {chunk_grid(memory, kDirectChunkItems), kWidth}, head,
                memory);
}

void launch_direct_pool(Stream& stream, const EvaluationHead& head,
                        const EvaluationMemory& memory) {
  stream.launch(direct_pool_kernel, {chunk_grid(memory, kDirectChunkItems), kWidth}, head, memory);
  const int chunk_count = chunks(memory.sets.items, kDirectChunkItems);
  launch_merge_pools(stream, memory, chunk_count);
  if (memory.transforms.count == 0) return;  // nothing is pooled
  stream.launch(pool_chunks_kernel,
                {dim3(memory.sets.sets * memory.transforms.count), kWidth * kChunkParts}, memory,
                chunk_count);
}

}  // namespace dispersion

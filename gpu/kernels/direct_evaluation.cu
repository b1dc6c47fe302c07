#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/best_logit.cuh"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_score.cuh"
#include "gpu/kernels/direct_items.cuh"

namespace dispersion {
namespace {

struct QueryShared {
  ProductShared<kTileRows> product;
  RowTotals<kTileRows> offsets;
};

// Score vectors u = K^T (Q psi_q(q) + b_Q) / sqrt(width) of kTileRows sets, and what the key bias
// adds to every logit.
__global__ void __launch_bounds__(kProductThreads)
    score_vectors_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ QueryShared shared;
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = product_channel();
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, memory.sets.sets - first);
  MatrixPart part;
  fetch_part(tensor(head, TensorId::kQuery1Kernel), part);
  const float slope = tensor(head, TensorId::kQuery0Kernel)[channel];
  const float bias = tensor(head, TensorId::kQuery0Bias)[channel];
  const float vector_bias = tensor(head, TensorId::kQuery1Bias)[channel];
  const float projection_bias = tensor(head, TensorId::kQueryBias)[channel];
  const float key_bias = tensor(head, TensorId::kKeyBias)[channel];
  const float scale = logit_scale();
  RowSums<kTileRows> rows;
#pragma unroll
  for (int j = 0; j < kThreadRows<kTileRows>; ++j) {
    const float query = evaluation_query(memory.sets, first + min(product_row(j), count - 1));
    rows[j] = gelu_point(fmaf(query, slope, bias)).value;
  }
  dense_layer(shared.product, part, tensor(head, TensorId::kQueryKernel), vector_bias, rows);
  dense_layer(shared.product, part, head.key_transposed, projection_bias, rows);
  RowSums<kTileRows> offsets;
#pragma unroll
  for (int j = 0; j < kThreadRows<kTileRows>; ++j)
    offsets[j] = rows[j] * key_bias;
  shared.offsets.put(offsets);
  dense_layer(shared.product, part, nullptr, 0.0f, rows);
#pragma unroll
  for (int j = 0; j < kThreadRows<kTileRows>; ++j)
    rows[j] *= scale;
  store_rows<kTileRows>(rows, count, memory.score_vectors + first * kWidth);
  if (thread < count) memory.score_offsets[first + thread] = shared.offsets.total(thread) * scale;
}

struct DirectShared {
  DirectItemsShared items;
  RowTotals<kItemRows> logits;
};

// A tile's logits without the set's offset: shared.logits.total(row). By all threads of the block.
__device__ inline void tile_logits(const ItemRows& rows, float u, DirectShared& shared) {
  ItemRows terms;
#pragma unroll
  for (int j = 0; j < kThreadRows<kItemRows>; ++j)
    terms[j] = rows[j] * u;
  shared.logits.put(terms);
  __syncthreads();
}

struct DirectScoreShared {
  DirectShared direct;
  ScoreShared score;
  float logits[kDirectChunkItems];
};

__global__ void __launch_bounds__(kProductThreads, 2)
    direct_scores_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ DirectScoreShared shared;
  const int thread = static_cast<int>(threadIdx.x);
  ItemNetwork network;
  fetch_network(head, network);
  for_each_chunk(memory.sets, kDirectChunkItems, [&](const ChunkPlace& chunk) {
    const float u = memory.score_vectors[chunk.set * kWidth + product_channel()];
    const float offset = memory.score_offsets[chunk.set];
    const DrawnItem item = fetch_items(memory.sets, chunk, shared.direct.items);
    for (int first = 0; first < chunk.count; first += kItemRows) {
      ItemRows rows;
      embed_items(network, first, shared.direct.items, rows);
      tile_logits(rows, u, shared.direct);
      if (thread < kItemRows)
        shared.logits[first + thread] = shared.direct.logits.total(thread) + offset;
    }
    __syncthreads();
    const float of_thread[1] = {shared.logits[min(thread, chunk.count - 1)]};
    LargestPriority priority{-1, memory.sets.items, 0, 0};
    if (thread < chunk.count) priority = {item.priority, chunk.begin + thread, item.item_class, 1};
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
  DirectShared direct;
  float weights[kMostTransforms][kItemRows];
  float pooled[kMostTransforms][kWidth];
  BestLogit best[kProductThreads / kWarp];
};
static_assert(kMostTransforms * kItemRows <= kProductThreads && kWarp % kItemRows == 0);

// Weights of a tile's items first .. first + count - 1, a thread per transform and item; 0 past the
// end.
__device__ inline void weigh_tile(const EvaluationMemory& memory, int set, int first, int count,
                                  DirectPoolShared& shared, TileRowSums& sums) {
  const int m = static_cast<int>(threadIdx.x) / kItemRows;
  const int r = static_cast<int>(threadIdx.x) % kItemRows;
  if (m >= memory.transforms.count) return;
  const SetScore& score = memory.set_scores[set];
  const TransformWeight transform{score.scale[m],
                                  memory.transforms.transform[m].id == TransformId::kHard};
  WeightPoint point{0, 0};
  if (r < count) {
    point = transform.at(shared.direct.logits.total(r) + memory.score_offsets[set] - score.largest);
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
  for (int distance = kItemRows / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
    weighted += __shfl_xor_sync(kAllLanes, weighted, distance);
  }
  const int m = static_cast<int>(threadIdx.x) / kItemRows;
  if (m >= memory.transforms.count || threadIdx.x % kItemRows != 0) return;
  pool.sum[m] = sum;
  pool.weighted_sum[m] = weighted;
}

// A thread has one channel of every second row, so that two threads sum a channel.
__global__ void __launch_bounds__(kProductThreads, 2)
    direct_pool_kernel(EvaluationHead head, EvaluationMemory memory) {
  static_assert(kProductThreads == 2 * kWidth);
  __shared__ DirectPoolShared shared;
  const int thread = static_cast<int>(threadIdx.x);
  const int channel = product_channel();
  const int transforms = memory.transforms.count;
  ItemNetwork network;
  fetch_network(head, network);
  for_each_chunk(memory.sets, kDirectChunkItems, [&](const ChunkPlace& chunk) {
    const float u = memory.score_vectors[chunk.set * kWidth + channel];
    const float largest = memory.set_scores[chunk.set].largest;
    const float offset = memory.score_offsets[chunk.set];
    float pooled[kMostTransforms] = {};
    TileRowSums sums;
    BestLogit best = no_logit(memory.sets);
    fetch_items(memory.sets, chunk, shared.direct.items);
    for (int first = 0; first < chunk.count; first += kItemRows) {
      const int begin = chunk.begin + first;
      const int count = min(kItemRows, chunk.count - first);
      ItemRows rows;
      embed_items(network, first, shared.direct.items, rows);
      tile_logits(rows, u, shared.direct);
      if (thread < count && shared.direct.logits.total(thread) + offset == largest)
        best = join_best(best, {static_cast<double>(largest), begin + thread});
      weigh_tile(memory, chunk.set, begin, count, shared, sums);
      __syncthreads();
#pragma unroll
      for (int m = 0; m < kMostTransforms; ++m) {
        if (m >= transforms) break;
#pragma unroll
        for (int j = 0; j < kThreadRows<kItemRows>; ++j)
          pooled[m] = fmaf(shared.weights[m][product_row(j)], rows[j], pooled[m]);
      }
    }
    ChunkPool& pool = memory.chunk_pools[chunk.piece];
    store_sums(memory, sums, pool);
    best = block_join(best, shared.best, kProductThreads / kWarp, join_best);
    if (thread == 0) {
      pool.best_logit = best.logit;
      pool.best_item = best.item;
    }
    float* to = memory.chunk_pooled + static_cast<long long>(chunk.piece) * transforms * kWidth;
#pragma unroll
    for (int m = 0; m < kMostTransforms; ++m) {
      if (m < transforms && thread >= kWidth) shared.pooled[m][channel] = pooled[m];
    }
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kMostTransforms; ++m) {
      if (m < transforms && thread < kWidth)
        to[m * kWidth + channel] = pooled[m] + shared.pooled[m][channel];
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
  stream.launch(score_vectors_kernel,
                {dim3(row_tiles<kTileRows>(memory.sets.sets)), kProductThreads}, head, memory);
  stream.launch(direct_scores_kernel, {chunk_grid(memory, kDirectChunkItems), kProductThreads},
                head, memory);
}

void launch_direct_pool(Stream& stream, const EvaluationHead& head,
                        const EvaluationMemory& memory) {
  stream.launch(direct_pool_kernel, {chunk_grid(memory, kDirectChunkItems), kProductThreads}, head,
                memory);
  const int chunk_count = chunks(memory.sets.items, kDirectChunkItems);
  launch_merge_pools(stream, memory, chunk_count);
  if (memory.transforms.count == 0) return;  // nothing is pooled
  stream.launch(pool_chunks_kernel,
                {dim3(memory.sets.sets * memory.transforms.count), kWidth * kChunkParts}, memory,
                chunk_count);
}

}  // namespace dispersion

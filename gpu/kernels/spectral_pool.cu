#include "gpu/kernels/evaluation_kernels.h"

#include "core/math/exponential.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {
namespace {

struct BestLogit {
  double logit;
  int item;
};

// Logits closer to the largest than this share of it may be larger in truth (ItemLogits::argmax).
constexpr double kDoubt = 1e-6;

__device__ BestLogit join_best(const BestLogit& a, const BestLogit& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.item < b.item) ? a : b;
}

struct PoolShared {
  double query_basis[kMostQueryNodes];
  double sum[kWidth / kWarp];
  BestLogit best[kWidth / kWarp];
};

// exp(beta (e - largest) / theta); under hard attention 1 for the largest and 0 for the others.
struct TransformWeight {
  float scale;
  bool hard;

  __device__ float exponent(float below) const { return scale * below; }
  __device__ float weight(float below) const {
    if (hard) return below == 0 ? 1.0f : 0.0f;
    return exponential(exponent(below));
  }
};

__device__ TransformWeight transform_weight(const AttentionTransform& transform, double beta) {
  const bool hard = transform.id == TransformId::kHard;
  return {hard ? 0.0f : static_cast<float>(beta / transform.theta), hard};
}

// sum of weight t^p over the items of every cell, in whole units, added to those of other chunks.
__device__ void pool_transform(const EvaluationHead& head, const EvaluationMemory& memory, int set,
                               int m, const float* logits, const CellPlace* places, int begin,
                               int count, PoolShared& shared, unsigned long long* moments,
                               ChunkPool& pool) {
  const int thread = static_cast<int>(threadIdx.x);
  const int size = kHeadClasses * head.cells * 4;
  const SetScore& score = memory.set_scores[set];
  const TransformWeight transform = transform_weight(memory.transforms.transform[m], score.beta[m]);
  for (int i = thread; i < size; i += kWidth)
    moments[i] = 0;
  __syncthreads();
  double sum = 0;
  double weighted = 0;
  for (int i = thread; i < count; i += kWidth) {
    const float below = logits[i] - score.largest;
    const float weight = transform.weight(below);
    sum += static_cast<double>(weight);
    weighted += static_cast<double>(weight * transform.exponent(below));
    if (begin + i == score.priority_item) {
      memory.weight_on_max[set * memory.transforms.count + m] = weight;
    }
    if (weight == 0) continue;
    double share = static_cast<double>(weight) / kWeightUnit;
    for (int p = 0; p < 4; ++p) {
      atomicAdd(moments + places[i].first + p, static_cast<unsigned long long>(llrint(share)));
      share *= static_cast<double>(places[i].t);
    }
  }
  sum = block_sum(sum, shared.sum);
  weighted = block_sum(weighted, shared.sum);
  if (thread == 0) {
    pool.sum[m] = sum;
    pool.weighted_sum[m] = weighted;
  }
  unsigned long long* whole =
      memory.moments + static_cast<long long>(set * memory.transforms.count + m) * size;
  for (int i = thread; i < size; i += kWidth) {
    if (moments[i] != 0) atomicAdd(whole + i, moments[i]);
  }
  __syncthreads();
}

// Dynamic shared memory: the moments, whose place the cubics take first, the chunk's logits, and
// where its items lie.
__global__ void __launch_bounds__(kWidth)
    spectral_pool_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ PoolShared shared;
  const int set = static_cast<int>(blockIdx.y);
  const int chunk = static_cast<int>(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  const int size = kHeadClasses * head.cells * 4;
  unsigned long long* moments = dynamic_shared<unsigned long long>();
  float* logits = reinterpret_cast<float*>(moments + size);
  CellPlace* places = reinterpret_cast<CellPlace*>(logits + kChunkItems);
  float* cubics = reinterpret_cast<float*>(moments);
  if (thread == 0) {
    lagrange_row(head.queries, static_cast<double>(evaluation_query(memory.sets, set)),
                 shared.query_basis);
  }
  __syncthreads();
  make_cubics(head, shared.query_basis, cubics);
  __syncthreads();
  const int begin = chunk_begin(chunk);
  const int count = chunk_end(memory.sets, chunk) - begin;
  const SetScore& score = memory.set_scores[set];
  const double top = static_cast<double>(score.largest);
  const float doubtful = static_cast<float>(top - kDoubt * fmax(fabs(top), 1.0));
  BestLogit best{-static_cast<double>(INFINITY), memory.sets.items};
  for (int i = thread; i < count; i += kWidth) {
    const DrawnItem item = evaluation_item(memory.sets, set, begin + i);
    places[i] = cell_place(head.cells, item);
    logits[i] = cubic_logit(cubics, places[i]);
    if (logits[i] >= doubtful) {
      best = join_best(best, {exact_logit(head, shared.query_basis, item), begin + i});
    }
  }
  __syncthreads();
  ChunkPool& pool = memory.chunk_pools[set * static_cast<int>(gridDim.x) + chunk];
  best = block_join(best, shared.best, join_best);
  if (thread == 0) {
    pool.best_logit = best.logit;
    pool.best_item = best.item;
  }
  for (int m = 0; m < memory.transforms.count; ++m)
    pool_transform(head, memory, set, m, logits, places, begin, count, shared, moments, pool);
}

std::size_t pool_bytes(int cells) {
  return static_cast<std::size_t>(kHeadClasses * cells * 4) * sizeof(unsigned long long) +
         kChunkItems * (sizeof(float) + sizeof(CellPlace));
}

// The pooled embedding of a set under a transform: moments to nodes, nodes to channels.
__global__ void __launch_bounds__(kWidth)
    pool_nodes_kernel(EvaluationHead head, EvaluationMemory memory, int chunk_count) {
  __shared__ float node_weights[kMostNodes];
  const int row = static_cast<int>(blockIdx.x);  // set and transform
  const int set = row / memory.transforms.count;
  const int m = row % memory.transforms.count;
  const int channel = static_cast<int>(threadIdx.x);
  const int points = head.items.count;
  const int moments_of_class = 4 * head.cells;
  const unsigned long long* moments =
      memory.moments + static_cast<long long>(row) * kHeadClasses * moments_of_class;
  double sum = 0;
  for (int c = 0; c < chunk_count; ++c)
    sum += memory.chunk_pools[set * chunk_count + c].sum[m];
  for (int node = channel; node < kHeadClasses * points; node += kWidth) {
    const unsigned long long* of_class = moments + node / points * moments_of_class;
    double weight = 0;
    for (int i = 0; i < moments_of_class; ++i) {
      weight = fma(static_cast<double>(of_class[i]),
                   static_cast<double>(head.cell_matrix[i * points + node % points]), weight);
    }
    node_weights[node] = static_cast<float>(weight * kWeightUnit / sum);
  }
  __syncthreads();
  float pooled = 0;
  for (int node = 0; node < kHeadClasses * points; ++node)
    pooled = fmaf(node_weights[node], head.embedding[node * kWidth + channel], pooled);
  memory.pooled[static_cast<long long>(row) * kWidth + channel] = pooled;
}

}  // namespace

void launch_spectral_pool(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory) {
  const int chunk_count = chunks(memory.sets.items);
  stream.launch(spectral_pool_kernel,
                {dim3(chunk_count, memory.sets.sets), kWidth, pool_bytes(head.cells)}, head,
                memory);
  if (memory.transforms.count == 0) return;  // nothing is pooled
  stream.launch(pool_nodes_kernel, {dim3(memory.sets.sets * memory.transforms.count), kWidth}, head,
                memory, chunk_count);
}

}  // namespace dispersion

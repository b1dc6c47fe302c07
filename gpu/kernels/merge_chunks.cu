#include "gpu/kernels/evaluation_kernels.h"

#include <algorithm>

#include "core/attention/streaming_entropy.h"
#include "gpu/kernels/best_logit.cuh"
#include "gpu/kernels/chunk_score.cuh"
#include "gpu/kernels/transform_beta.cuh"

namespace dispersion {
namespace {

// Logits closer to the largest than this share of it may be larger in truth (ItemLogits::argmax).
constexpr double kDoubt = 1e-6;

struct MergeShared {
  ChunkExtremes extremes[kMostWarps];
  double sum[kMostWarps];
};

// What the chunks of a set say together of its logits and priorities.
__device__ ChunkExtremes extremes_of(const ChunkScore* scores, int chunk_count,
                                     MergeShared& shared) {
  ChunkExtremes all{-INFINITY, INFINITY, {-1, 0, 0, 0}};
#pragma unroll 4
  for (int c = static_cast<int>(threadIdx.x); c < chunk_count; c += static_cast<int>(blockDim.x)) {
    const ChunkScore& next = scores[c];
    all = join_extremes(
        all, {next.largest,
              next.smallest,
              {next.priority, next.priority_item, next.priority_class, next.priority_items}});
  }
  return block_join(all, shared.extremes, static_cast<int>(blockDim.x) / kWarp, join_extremes);
}

// Entropy of the set under softmax(e / theta). A chunk's sums are of exp(t) and exp(t) t with
// t = (e - its largest) / theta; here they move to the largest of the set, as
// StreamingEntropy::merge.
__device__ double set_entropy(const ChunkScore* scores, int chunk_count, int transform,
                              double theta, float largest, MergeShared& shared) {
  double sum = 0;
  double weighted = 0;
#pragma unroll 4
  for (int c = static_cast<int>(threadIdx.x); c < chunk_count; c += static_cast<int>(blockDim.x)) {
    const double shift = bounded_below(
        (static_cast<double>(scores[c].largest) - static_cast<double>(largest)) / theta);
    const double scale = exp(shift);
    const double of_chunk = scores[c].sum[transform];
    sum += scale * of_chunk;
    weighted += scale * (scores[c].weighted_sum[transform] + shift * of_chunk);
  }
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  StreamingEntropy<double> all;
  all.sum = block_sum(sum, shared.sum, warps);
  all.weighted_sum = block_sum(weighted, shared.sum, warps);
  return all.entropy();
}

// A block a set and transform; that of the first one also writes what all transforms share.
__global__ void __launch_bounds__(kMostChunkThreads)
    merge_scores_kernel(EvaluationHead head, EvaluationMemory memory, int chunk_count) {
  __shared__ MergeShared shared;
  const int set = static_cast<int>(blockIdx.x);
  const int m = static_cast<int>(blockIdx.y);
  const ChunkScore* scores = memory.chunk_scores + static_cast<long long>(set) * chunk_count;
  SetScore& score = memory.set_scores[set];
  const ChunkExtremes all = extremes_of(scores, chunk_count, shared);
  const double top = static_cast<double>(all.largest);
  if (m == 0 && threadIdx.x == 0) {
    score.largest = all.largest;
    score.smallest = all.smallest;
    score.priority_item = all.priority.item;
    score.priority_items = all.priority.items;
    score.label = all.priority.item_class;
    score.constant = is_spectral(head) ? memory.constants[set] : 0;
    score.doubtful = static_cast<float>(top - kDoubt * fmax(fabs(top), 1.0));
  }
  if (m >= memory.transforms.count) return;
  const AttentionTransform& transform = memory.transforms.transform[m];
  const double entropy = set_entropy(scores, chunk_count, m, transform.theta, all.largest, shared);
  if (threadIdx.x != 0) return;
  const double beta = transform_beta(transform, entropy);
  score.beta[m] = beta;
  score.scale[m] = finite_scale(beta / transform.theta);
}

struct BestShared {
  BestLogit best[kMostWarps];
  double sum[kMostWarps];
};

// A block a set and transform, as above: what the chunks say together after the second pass.
__global__ void __launch_bounds__(kMostChunkThreads)
    merge_pools_kernel(EvaluationMemory memory, int chunk_count) {
  __shared__ BestShared shared;
  const int set = static_cast<int>(blockIdx.x);
  const int m = static_cast<int>(blockIdx.y);
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const SetScore& score = memory.set_scores[set];
  const ChunkPool* pools = memory.chunk_pools + static_cast<long long>(set) * chunk_count;
  if (m == 0) {
    BestLogit best = no_logit(memory.sets);
#pragma unroll 4
    for (int c = thread; c < chunk_count; c += threads)
      best = join_best(best, {pools[c].best_logit, pools[c].best_item});
    best = block_join(best, shared.best, threads / kWarp, join_best);
    if (thread == 0) {
      memory.results[set] = {
          static_cast<float>(static_cast<double>(score.largest) + score.constant),
          static_cast<float>(static_cast<double>(score.smallest) + score.constant),
          best.item,
          score.priority_item,
          score.priority_items,
          score.label};
    }
  }
  if (m >= memory.transforms.count) return;
  double sum = 0;
  double weighted = 0;
#pragma unroll 8
  for (int c = thread; c < chunk_count; c += threads) {
    sum += pools[c].sum[m];
    weighted += pools[c].weighted_sum[m];
  }
  sum = block_sum(sum, shared.sum, threads / kWarp);
  weighted = block_sum(weighted, shared.sum, threads / kWarp);
  if (thread != 0) return;
  const int row = set * memory.transforms.count + m;
  memory.weight_sums[row] = sum;
  TransformScore& result = memory.transform_results[row];
  result.entropy = static_cast<float>(log(sum) - weighted / sum);
  result.beta = static_cast<float>(score.beta[m]);
  result.weight_on_max = static_cast<float>(static_cast<double>(memory.weight_on_max[row]) / sum);
}

// A thread a chunk, up to so many: the number of chunks alone decides.
LaunchShape merge_shape(const EvaluationMemory& memory, int chunk_count) {
  const int threads = std::min((chunk_count + kWarp - 1) / kWarp * kWarp, kMostChunkThreads);
  return {dim3(static_cast<unsigned>(memory.sets.sets),
               static_cast<unsigned>(std::max(1, memory.transforms.count))),
          static_cast<unsigned>(threads)};
}

}  // namespace

void launch_merge_scores(Stream& stream, const EvaluationHead& head,
                         const EvaluationMemory& memory) {
  const int chunk_count = chunks(is_spectral(head), memory.sets.items);
  stream.launch(merge_scores_kernel, merge_shape(memory, chunk_count), head, memory, chunk_count);
}

void launch_merge_pools(Stream& stream, const EvaluationMemory& memory, int chunk_count) {
  stream.launch(merge_pools_kernel, merge_shape(memory, chunk_count), memory, chunk_count);
}

}  // namespace dispersion

#include "gpu/kernels/evaluation_kernels.h"

#include "core/attention/streaming_entropy.h"
#include "gpu/kernels/evaluation_items.cuh"
#include "gpu/kernels/transform_beta.cuh"

namespace dispersion {
namespace {

constexpr int kThreads = 64;

// A chunk's sums as those of a piece of a row of logits e / theta.
__device__ StreamingEntropy<double> piece(const ChunkScore& score, int transform, double theta) {
  StreamingEntropy<double> sums;
  sums.max = static_cast<double>(score.largest) / theta;
  sums.sum = score.sum[transform];
  sums.weighted_sum = score.weighted_sum[transform];
  return sums;
}

// A thread a set.
__global__ void __launch_bounds__(kThreads)
    merge_scores_kernel(EvaluationHead head, EvaluationMemory memory, int chunk_count) {
  const int set = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (set >= memory.sets.sets) return;
  const ChunkScore* scores = memory.chunk_scores + set * chunk_count;
  SetScore whole;
  whole.largest = scores[0].largest;
  whole.smallest = scores[0].smallest;
  whole.largest_items = scores[0].largest_items;
  whole.priority_item = scores[0].priority_item;
  whole.priority_items = scores[0].priority_items;
  whole.label = scores[0].priority_class;
  float priority = scores[0].priority;
  for (int c = 1; c < chunk_count; ++c) {
    const ChunkScore& next = scores[c];
    if (next.largest > whole.largest) {
      whole.largest = next.largest;
      whole.largest_items = next.largest_items;
    } else if (next.largest == whole.largest) {
      whole.largest_items += next.largest_items;
    }
    whole.smallest = next.smallest < whole.smallest ? next.smallest : whole.smallest;
    if (next.priority > priority) {
      priority = next.priority;
      whole.priority_item = next.priority_item;
      whole.priority_items = next.priority_items;
      whole.label = next.priority_class;
    } else if (next.priority == priority) {
      whole.priority_items += next.priority_items;
    }
  }
  for (int m = 0; m < memory.transforms.count; ++m) {
    StreamingEntropy<double> sums = piece(scores[0], m, memory.transforms.transform[m].theta);
    for (int c = 1; c < chunk_count; ++c)
      sums.merge(piece(scores[c], m, memory.transforms.transform[m].theta));
    whole.beta[m] = transform_beta(memory.transforms.transform[m], sums.entropy());
  }
  whole.constant = 0;
  if (head.items.count > 0) {
    double basis[kMostQueryNodes];
    lagrange_row(head.queries, static_cast<double>(evaluation_query(memory.sets, set)), basis);
    for (int q = 0; q < head.queries.count; ++q)
      whole.constant = fma(basis[q], head.middle[q], whole.constant);
  }
  memory.set_scores[set] = whole;
}

}  // namespace

void launch_merge_scores(Stream& stream, const EvaluationHead& head,
                         const EvaluationMemory& memory) {
  const unsigned blocks = static_cast<unsigned>((memory.sets.sets + kThreads - 1) / kThreads);
  stream.launch(merge_scores_kernel, {dim3(blocks), kThreads}, head, memory,
                chunks(memory.sets.items));
}

}  // namespace dispersion

#include "gpu/kernels/direct_sets.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/readout_tile.cuh"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/spectral_sets.cuh"
#include "gpu/kernels/training_kernels.h"
#include "gpu/runtime/device.h"

namespace dispersion {
namespace {

template <int kSets>
union SetsShared {
  ReadoutShared<kSets> readout;
  SpectralShared<kSets> spectral;
};

// Of a block that copies H, which it reads twice, to its dynamic shared memory; the items'
// attention follows.
constexpr int kNodeBytes = kMostNodes * kWidth * static_cast<int>(sizeof(float));

template <int kSets, bool kCopied>
__device__ SetItems items_in_shared(int largest_set) {
  auto* logits = dynamic_shared<double>();
  if (kCopied) logits += kNodeBytes / sizeof(double);
  auto* weights = reinterpret_cast<float*>(logits + kSets * largest_set);
  return {logits, weights, weights + kSets * largest_set};
}

template <int kSets>
__device__ SetItems items_in_global(const GroupMemory& group, int head, int first) {
  const long long at =
      (static_cast<long long>(head) * group.recipe.sets + first) * group.recipe.largest_set;
  return {group.item_logits + at, group.weights + at, group.weight_gradient + at};
}

// A block's sets, from the embedding to the loss and back. With a copy of H only for groups whose
// heads all take the spectral path.
template <int kSets, bool kInShared, bool kCopied>
__device__ void take_sets(const GroupMemory& group, SetsShared<kSets>& shared) {
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kSets;
  const int points = group.nodes[head].items.count;
  const int queries = group.nodes[head].queries.count;
  const int items = batch_items(group, head);
  const float* h = of_head(group.embedding, head, group.rows * kWidth);
  // One condition, so that what it asks comes at once.
  const bool stop = (points < 0) | (queries < 0) | (items <= 0) | stopped(group);
  MatrixPart part;
  fetch_part(tensor(group, head, TensorId::kValueKernel), part);
  // H is written by the last kernel but one, which is through.
  if constexpr (kCopied) begin_node_copy(h, points, dynamic_shared<float>());
  wait_for_kernel_before();
  if (stop) {
    if constexpr (kCopied) wait_for_batches<0>();
    return;
  }
  const NodeEmbedding<kCopied> embedding = {kCopied ? dynamic_shared<float>() : h};
  const SetTile<kSets> tile{group,
                            head,
                            first,
                            min(kSets, group.recipe.sets - first),
                            items,
                            points,
                            queries,
                            kInShared ? items_in_shared<kSets, kCopied>(group.recipe.largest_set)
                                      : items_in_global<kSets>(group, head, first)};
  ReadoutShared<kSets>& readout = shared.readout;
  RowSums<kSets> rows;
  if (kCopied || points > 0) {
    spectral_pool(tile, embedding, shared.spectral, readout, rows);
  } else {
    direct_pool(tile, readout.labels, rows);
  }
  readout_tile(tile, readout, part, rows);
  if (kCopied || points > 0) {
    spectral_pool_backward(tile, embedding, readout.product.x, shared.spectral);
  } else {
    direct_pool_backward(tile, readout.product.x);
  }
}

// Phase 3: attention, readout and loss of kSets sets a block, and the way back to the items'
// weights and logits. Grid [ceil(sets / kSets), heads], kProductThreads threads.
template <int kSets, bool kInShared, bool kCopied>
__global__ void __launch_bounds__(kProductThreads) sets_kernel(GroupMemory group) {
  __shared__ SetsShared<kSets> shared;
  // No device without such copies has the shared memory for them.
  if constexpr (!kCopied || kHasAsyncCopies) take_sets<kSets, kInShared, kCopied>(group, shared);
}

// Sets of a block. A block reads 0.5 to 0.6 MB of matrices and of H however many sets it has: where
// few fill the device, small blocks use more of it; where many do, large ones spare its L2 cache. A
// set's result is the same.
constexpr int kFewSets = 4;
constexpr int kManySets = 8;
constexpr int kBlocksAtOnce = 128;

// Dynamic shared memory of a block.
template <int kSets, bool kInShared, bool kCopied>
std::size_t dynamic_bytes(const GroupMemory& group) {
  if (!kInShared) return 0;
  const std::size_t items = static_cast<std::size_t>(kSets) *
                            static_cast<std::size_t>(group.recipe.largest_set) * kSetItemBytes;
  return items + (kCopied ? kNodeBytes : 0);
}

template <int kSets, bool kCopied>
bool fits(const GroupMemory& group, std::size_t shared_bytes) {
  return sizeof(SetsShared<kSets>) + dynamic_bytes<kSets, true, kCopied>(group) <= shared_bytes;
}

template <int kSets, bool kInShared, bool kCopied>
void launch(Stream& stream, const GroupMemory& group) {
  stream.launch(sets_kernel<kSets, kInShared, kCopied>,
                {.grid = dim3(row_tiles<kSets>(group.recipe.sets), group.heads),
                 .block = kProductThreads,
                 .shared_bytes = dynamic_bytes<kSets, kInShared, kCopied>(group),
                 .early = true},
                group);
}

// Whether it was launched: whether blocks of kSets sets fit.
template <int kSets>
bool launch_in_shared(Stream& stream, const GroupMemory& group) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  if (!group.any_direct && fits<kSets, true>(group, most_shared_memory())) {
    launch<kSets, true, true>(stream, group);
    return true;
  }
  if (!fits<kSets, false>(group, kWithoutAsking)) return false;
  launch<kSets, true, false>(stream, group);
  return true;
}

}  // namespace

void launch_sets(Stream& stream, const GroupMemory& group) {
  const bool many =
      row_tiles<kFewSets>(group.recipe.sets) * static_cast<long long>(group.heads) > kBlocksAtOnce;
  if (many && launch_in_shared<kManySets>(stream, group)) return;
  if (launch_in_shared<kFewSets>(stream, group)) return;
  launch<kFewSets, false, false>(stream, group);
}

}  // namespace dispersion

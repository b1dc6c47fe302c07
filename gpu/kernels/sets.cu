#include "gpu/kernels/direct_sets.cuh"
#include "gpu/kernels/readout_tile.cuh"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/spectral_sets.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

// Sets of a block.
constexpr int kBlockSets = 4;

template <int kSets>
struct SetsShared {
  ReadoutShared<kSets> readout;
  SpectralShared<kSets> spectral;
};

// Items whose attention fits in a block's shared memory without asking for more of it.
constexpr int kMostItemsInShared = (47 * 1024 - sizeof(SetsShared<kBlockSets>)) / kSetItemBytes;

template <int kSets>
__device__ SetItems items_in_shared(int largest_set) {
  auto* logits = dynamic_shared<double>();
  auto* weights = reinterpret_cast<float*>(logits + kSets * largest_set);
  return {logits, weights, weights + kSets * largest_set};
}

template <int kSets>
__device__ SetItems items_in_global(const GroupMemory& group, int head, int first) {
  const long long at =
      (static_cast<long long>(head) * group.recipe.sets + first) * group.recipe.largest_set;
  return {group.item_logits + at, group.weights + at, group.weight_gradient + at};
}

// Phase 3: attention, readout and loss of kSets sets a block, and the way back to the items'
// weights and logits. Grid [ceil(sets / kSets), heads], kProductThreads threads.
template <int kSets, bool kInShared>
__global__ void __launch_bounds__(kProductThreads) sets_kernel(GroupMemory group) {
  __shared__ SetsShared<kSets> shared;
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kSets;
  const int points = group.nodes[head].items.count;
  const int queries = group.nodes[head].queries.count;
  const int items = batch_items(group, head);
  // One condition, so that what it asks comes at once.
  if ((points < 0) | (queries < 0) | (items <= 0) | stopped(group)) return;
  MatrixPart part;
  fetch_part(tensor(group, head, TensorId::kValueKernel), part);
  const SetTile<kSets> tile{group,
                            head,
                            first,
                            min(kSets, group.recipe.sets - first),
                            items,
                            points,
                            queries,
                            kInShared ? items_in_shared<kSets>(group.recipe.largest_set)
                                      : items_in_global<kSets>(group, head, first)};
  ReadoutShared<kSets>& readout = shared.readout;
  RowSums<kSets> rows;
  ItemQuarter own = {};
  if (points > 0) {
    fetch_item(tile, warp_of_thread(), own);
    spectral_pool(tile, shared.spectral, readout, own, rows);
  } else {
    direct_pool(tile, readout.labels, rows);
  }
  readout_tile(tile, readout, part, rows);
  if (points > 0) {
    spectral_pool_backward(tile, readout.product.x, own, shared.spectral);
  } else {
    direct_pool_backward(tile, readout.product.x);
  }
}

}  // namespace

void launch_sets(Stream& stream, const GroupMemory& group) {
  const auto blocks = static_cast<unsigned>((group.recipe.sets + kBlockSets - 1) / kBlockSets);
  const dim3 grid(blocks, group.heads);
  const int items = kBlockSets * group.recipe.largest_set;
  if (items <= kMostItemsInShared) {
    stream.launch(sets_kernel<kBlockSets, true>,
                  {grid, kProductThreads, static_cast<std::size_t>(items) * kSetItemBytes}, group);
  } else {
    stream.launch(sets_kernel<kBlockSets, false>, {grid, kProductThreads}, group);
  }
}

}  // namespace dispersion

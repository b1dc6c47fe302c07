#include "gpu/kernels/direct_sets.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/readout_tile.cuh"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/spectral_sets.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

template <int kSets>
union SetsShared {
  ReadoutShared<kSets> readout;
  SpectralShared<kSets> spectral;
};

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
  const bool stop = (points < 0) | (queries < 0) | (items <= 0) | stopped(group);
  MatrixPart part;
  fetch_part(tensor(group, head, TensorId::kValueKernel), part);
  wait_for_kernel_before();
  if (stop) return;
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
  if (points > 0) {
    spectral_pool(tile, shared.spectral, readout, rows);
  } else {
    direct_pool(tile, readout.labels, rows);
  }
  readout_tile(tile, readout, part, rows);
  if (points > 0) {
    spectral_pool_backward(tile, readout.product.x, shared.spectral);
  } else {
    direct_pool_backward(tile, readout.product.x);
  }
}

// Sets of a block. A block reads 0.6 MB of matrices and of H however many sets it has: where few
// fill the device, small blocks use more of it; where many do, large ones spare its L2 cache. A
// set's result is the same.
constexpr int kFewSets = 4;
constexpr int kManySets = 8;
constexpr int kBlocksAtOnce = 128;

// Of the attention of a block's items.
template <int kSets>
std::size_t item_bytes(const GroupMemory& group) {
  return static_cast<std::size_t>(kSets) * static_cast<std::size_t>(group.recipe.largest_set) *
         kSetItemBytes;
}

template <int kSets>
bool fits_in_shared(const GroupMemory& group) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  return sizeof(SetsShared<kSets>) + item_bytes<kSets>(group) <= kWithoutAsking;
}

template <int kSets, bool kInShared>
void launch(Stream& stream, const GroupMemory& group) {
  stream.launch(sets_kernel<kSets, kInShared>,
                {.grid = dim3(row_tiles<kSets>(group.recipe.sets), group.heads),
                 .block = kProductThreads,
                 .shared_bytes = kInShared ? item_bytes<kSets>(group) : 0,
                 .early = true},
                group);
}

}  // namespace

void launch_sets(Stream& stream, const GroupMemory& group) {
  const bool many =
      row_tiles<kFewSets>(group.recipe.sets) * static_cast<long long>(group.heads) > kBlocksAtOnce;
  if (many && fits_in_shared<kManySets>(group)) return launch<kManySets, true>(stream, group);
  if (fits_in_shared<kFewSets>(group)) return launch<kFewSets, true>(stream, group);
  launch<kFewSets, false>(stream, group);
}

}  // namespace dispersion

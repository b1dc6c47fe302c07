#include "gpu/kernels/training_kernels.h"

#include "gpu/kernels/set_attention.cuh"
#include "gpu/kernels/set_tile.cuh"

namespace dispersion {
namespace {

// Phase 3: attention, readout and loss of kTileRows sets a block, and the way back to the items'
// weights and logits. Grid [ceil(sets / kTileRows), heads], kWidth threads.
__global__ void __launch_bounds__(kWidth, 2) sets_kernel(GroupMemory group) {
  __shared__ ReadoutShared readout;
  __shared__ SpectralShared spectral;
  if (stopped(group)) return;
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const SetTile tile{group, head, first, min(kTileRows, group.recipe.sets - first),
                     batch_items(group, head)};
  TileSums rows;
  if (is_spectral(group, head)) {
    spectral_pool(tile, spectral, rows);
    readout_tile(tile, readout, rows);
    spectral_pool_backward(tile, readout.rows, spectral);
  } else {
    direct_pool(tile, rows);
    readout_tile(tile, readout, rows);
    direct_pool_backward(tile, readout.rows);
  }
}

}  // namespace

void launch_sets(Stream& stream, const GroupMemory& group) {
  stream.launch(sets_kernel, {dim3(tiles(group.recipe.sets), group.heads), kWidth}, group);
}

}  // namespace dispersion

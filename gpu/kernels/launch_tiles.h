#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Throws std::runtime_error unless a block of the calling thread's device can have as much shared
// memory.
inline void require_shared_memory(std::size_t bytes, int channels) {
  const std::size_t most = most_shared_memory();
  if (bytes <= most) return;
  throw std::runtime_error("streaming attention: d = " + std::to_string(channels) + " needs " +
                           std::to_string(bytes) + " bytes of shared memory; the device has " +
                           std::to_string(most));
}

// What a block takes.
struct TileShape {
  int queries;
  int threads;
  std::size_t shared_bytes;
};

// Launches a kernel with a block per tile of the queries of each head; in parts, one after another,
// of `most_blocks` blocks at most. A head is a row of the grid.
template <class Number>
void launch_tiles(Stream& stream, void (*kernel)(AttentionMemory<Number>), const TileShape& tile,
                  const AttentionMemory<Number>& memory) {
  require_shared_memory(tile.shared_bytes, memory.channels);
  const AttentionRows& rows = memory.rows;
  const int all_tiles = (rows.queries + tile.queries - 1) / tile.queries;
  const int heads = std::min(rows.heads, memory.most_blocks);
  const int tiles = std::min(all_tiles, memory.most_blocks / heads);
  for (int head = 0; head < rows.heads; head += heads) {
    for (int first = 0; first < all_tiles; first += tiles) {
      AttentionMemory<Number> part = memory;
      part.rows.first_head = rows.first_head + head;
      part.rows.heads = std::min(heads, rows.heads - head);
      part.rows.first_query = rows.first_query + first * tile.queries;
      part.rows.queries = std::min(tiles * tile.queries, rows.queries - first * tile.queries);
      const LaunchShape shape = {dim3(static_cast<unsigned>(std::min(tiles, all_tiles - first)),
                                      static_cast<unsigned>(part.rows.heads)),
                                 static_cast<unsigned>(tile.threads), tile.shared_bytes};
      stream.launch(kernel, shape, part);
    }
  }
}

// Calls use(channels) with their number, 64, 128 or 256, as a constant.
template <class Use>
void with_channels(int channels, Use use) {
  switch (channels) {
    case 64:
      return use(std::integral_constant<int, 64>());
    case 128:
      return use(std::integral_constant<int, 128>());
    default:
      return use(std::integral_constant<int, 256>());
  }
}

}  // namespace dispersion

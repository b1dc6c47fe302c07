#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Throws std::runtime_error unless a block of the calling thread's device can have as much
// shared memory.
inline void require_shared_memory(std::size_t bytes, int channels) {
  const std::size_t most = most_shared_memory();
  if (bytes <= most) return;
  throw std::runtime_error("streaming attention: d = " + std::to_string(channels) + " needs " +
                           std::to_string(bytes) + " bytes of shared memory; the device has " +
                           std::to_string(most));
}

// Launches a kernel with a block per tile of the launch's queries and head.
template <class Number>
void launch_tiles(Stream& stream, void (*kernel)(AttentionMemory<Number>), int threads,
                  std::size_t shared_bytes, const AttentionMemory<Number>& memory) {
  require_shared_memory(shared_bytes, memory.channels);
  const int tiles = (memory.rows.queries + kAttentionQueries - 1) / kAttentionQueries;
  const LaunchShape shape = {
      dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(memory.rows.heads)),
      static_cast<unsigned>(threads), shared_bytes};
  stream.launch(kernel, shape, memory);
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

#include "gpu/attention/streaming_attention.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "gpu/kernels/attention_pool.h"
#include "gpu/kernels/attention_scores.h"
#include "gpu/kernels/flash_attention.h"

namespace dispersion {
namespace {

constexpr int kMostHeads = 65'535;  // a head is a row of the grid

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("streaming attention: " + why);
}

void require_array(const float* array, std::size_t alignment, const std::string& name) {
  if (array == nullptr) refuse(name + " is missing");
  if (reinterpret_cast<std::uintptr_t>(array) % alignment != 0)
    refuse(name + " is not aligned to " + std::to_string(alignment) + " bytes");
}

void require_valid(const StreamingAttention& request) {
  if (request.heads < 1 || request.heads > kMostHeads) {
    refuse(std::to_string(request.heads) + " heads; 1 to " + std::to_string(kMostHeads) +
           " are possible");
  }
  if (request.n < 1) refuse("n is " + std::to_string(request.n) + "; it must be at least 1");
  if (request.d != 64 && request.d != 128 && request.d != 256)
    refuse("d is " + std::to_string(request.d) + "; it must be 64, 128 or 256");
  if (!(request.map.theta > 0) || !std::isfinite(request.map.theta))
    refuse("theta is " + std::to_string(request.map.theta) + "; it must be above 0");
  if (request.map.kind == MapKind::kHard) refuse("hard attention is not offered");
  require_array(request.q, 16, "q");
  require_array(request.k, 16, "k");
  require_array(request.v, 16, "v");
  require_array(request.out, 16, "out");
  require_array(request.largest, sizeof(float), "largest");
  require_array(request.log_sum_exp, sizeof(float), "log_sum_exp");
  require_array(request.entropy, sizeof(float), "entropy");
  require_array(request.beta, sizeof(float), "beta");
}

AttentionMemory memory_of(const StreamingAttention& request) {
  constexpr double kLog2E = 1.44269504088896340736;
  const double scale = kLog2E / (std::sqrt(static_cast<double>(request.d)) * request.map.theta);
  return {.heads = request.heads,
          .n = request.n,
          .causal = request.causal,
          .map = request.map,
          .exponent_scale = static_cast<float>(scale),
          .q = request.q,
          .k = request.k,
          .v = request.v,
          .out = request.out,
          .largest = request.largest,
          .log_sum_exp = request.log_sum_exp,
          .entropy = request.entropy,
          .beta = request.beta};
}

template <int kChannels>
void launch_passes(Stream& stream, const AttentionMemory& memory) {
  if (memory.map.kind == MapKind::kSoftmax) {
    launch_flash_attention<kChannels>(stream, memory);
    return;
  }
  launch_attention_scores<kChannels>(stream, memory);
  launch_attention_pool<kChannels>(stream, memory);
}

}  // namespace

std::size_t streaming_attention_bytes(int heads, int n, int d) {
  const auto rows = static_cast<std::size_t>(heads) * static_cast<std::size_t>(n);
  return rows * (4 * static_cast<std::size_t>(d) + 4) * sizeof(float);
}

void stream_attention(Stream& stream, const StreamingAttention& request) {
  require_valid(request);
  const AttentionMemory memory = memory_of(request);
  switch (request.d) {
    case 64:
      return launch_passes<64>(stream, memory);
    case 128:
      return launch_passes<128>(stream, memory);
    default:
      return launch_passes<256>(stream, memory);
  }
}

}  // namespace dispersion

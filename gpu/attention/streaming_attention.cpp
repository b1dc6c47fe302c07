#include "gpu/attention/streaming_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/attention/transforms.h"
#include "gpu/kernels/attention_kernels.h"
#include "gpu/runtime/device.h"

namespace dispersion {
namespace {

constexpr int kMostHeads = 65'535;  // a head is a row of the grid
// The int of a row or key has room for a tile past the last.
constexpr int kMostKeys = 1 << 30;

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("streaming attention: " + why);
}

void require_array(const void* array, std::size_t alignment, const std::string& name) {
  if (array == nullptr) refuse(name + " is missing");
  if (reinterpret_cast<std::uintptr_t>(array) % alignment != 0)
    refuse(name + " is not aligned to " + std::to_string(alignment) + " bytes");
}

// All of the last queries where it says 0.
template <class Number>
int queries_of(const StreamingAttention<Number>& request) {
  return request.queries == 0 ? request.n - request.first_query : request.queries;
}

template <class Number>
void require_queries(const StreamingAttention<Number>& request) {
  const int first = request.first_query;
  if (first < 0 || first >= request.n || first % kQueriesTogether != 0) {
    refuse("first_query is " + std::to_string(first) + "; it must be a multiple of " +
           std::to_string(kQueriesTogether) + " below n = " + std::to_string(request.n));
  }
  const int left = request.n - first;
  const int queries = queries_of(request);
  if (queries < 0 || queries > left || (queries != left && queries % kQueriesTogether != 0)) {
    refuse(std::to_string(queries) + " queries; a multiple of " + std::to_string(kQueriesTogether) +
           ", or the " + std::to_string(left) + " that are left");
  }
}

template <class Number>
void require_valid(const StreamingAttention<Number>& request) {
  if (request.heads < 1 || request.heads > kMostHeads) {
    refuse(std::to_string(request.heads) + " heads; 1 to " + std::to_string(kMostHeads) +
           " are possible");
  }
  if (request.n < 1 || request.n > kMostKeys) {
    refuse("n is " + std::to_string(request.n) + "; it must be between 1 and " +
           std::to_string(kMostKeys));
  }
  require_queries(request);
  if (request.most_blocks < 1)
    refuse("most_blocks is " + std::to_string(request.most_blocks) + "; it must be at least 1");
  if (request.d != 64 && request.d != 128 && request.d != 256)
    refuse("d is " + std::to_string(request.d) + "; it must be 64, 128 or 256");
  try {
    validate(request.transform);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  if (request.transform.id != TransformId::kSoftmax &&
      request.transform.id != TransformId::kAdaptive)
    refuse(std::string(transform_name(request.transform.id)) +
           " is not offered; there are softmax and adaptive");
  require_array(request.q, 16, "q");
  require_array(request.k, 16, "k");
  require_array(request.v, 16, "v");
  require_array(request.out, 16, "out");
  require_array(request.largest, sizeof(float), "largest");
  require_array(request.log_sum_exp, sizeof(float), "log_sum_exp");
  require_array(request.entropy, sizeof(float), "entropy");
  require_array(request.beta, sizeof(float), "beta");
}

// log2(e) scale in the range that the kernels ask for (attention_memory.h). Above it, a logit has a
// weight beside the largest only where both are closer than 1e-36.
float exponent_scale(double scale) {
  constexpr double kLog2E = 1.44269504088896340736;
  return static_cast<float>(std::clamp(kLog2E * scale, static_cast<double>(kSmallestScale),
                                       static_cast<double>(std::numeric_limits<float>::max())));
}

template <class Number>
AttentionMemory<Number> memory_of(const StreamingAttention<Number>& request) {
  // Finite: an infinite one would make NaN of a logit of 0.
  const double scale =
      std::min(1 / std::sqrt(static_cast<double>(request.d)) / request.transform.theta,
               std::numeric_limits<double>::max());
  return {.rows = {.first_head = 0,
                   .heads = request.heads,
                   .n = request.n,
                   .first_query = request.first_query,
                   .queries = queries_of(request),
                   .causal = request.causal,
                   .transform = request.transform,
                   .scale = scale,
                   .exponent_scale = exponent_scale(scale),
                   .largest = request.largest,
                   .log_sum_exp = request.log_sum_exp,
                   .entropy = request.entropy,
                   .beta = request.beta},
          .channels = request.d,
          .most_blocks = request.most_blocks,
          .q = request.q,
          .k = request.k,
          .v = request.v,
          .out = request.out};
}

void launch_passes(Stream& stream, const AttentionMemory<float>& memory) {
  if (memory.rows.transform.id == TransformId::kSoftmax)
    return launch_flash_attention(stream, memory);
  launch_attention_scores(stream, memory);
  launch_attention_pool(stream, memory);
}

void launch_passes(Stream& stream, const AttentionMemory<Bf16>& memory) {
  if (memory.rows.transform.id == TransformId::kSoftmax) return launch_tensor_flash(stream, memory);
  launch_tensor_scores(stream, memory);
  launch_tensor_pool(stream, memory);
}

}  // namespace

AttentionNumbers usable_numbers(AttentionNumbers asked) {
  return asked == AttentionNumbers::kBf16 && !has_tensor_kernels() ? AttentionNumbers::kFloat
                                                                   : asked;
}

void stream_attention(Stream& stream, const StreamingAttention<float>& request) {
  require_valid(request);
  launch_passes(stream, memory_of(request));
}

void stream_attention(Stream& stream, const StreamingAttention<Bf16>& request) {
  require_valid(request);
  launch_passes(stream, memory_of(request));
}

}  // namespace dispersion

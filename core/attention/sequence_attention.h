#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/attention/attention_transform.h"

namespace dispersion {

// Softmax attention over whole sequences, plain or with a temperature of each row such as the
// paper's adaptive one, in two passes over the keys and in memory proportional to their number
// (appendix G):
//
//   e_ij = q_i . k_j / sqrt(d),  H_i = entropy of softmax(e_i / theta),
//   out_i = sum_j softmax(beta(H_i) e_i / theta)_j v_j
//
// What is here is the definition; gpu/attention/streaming_attention.h is the same on a CUDA device.

// What products are taken of: floats, or bf16 with sums in float, weights rounded before they meet
// the values, and the output rounded.
enum class AttentionNumbers { kFloat, kBf16 };

// "fp32" or "bf16".
std::string_view attention_numbers_name(AttentionNumbers numbers);

struct SequenceAttention {
  int heads = 1;
  int n = 1;            // queries of a head, and keys
  int d = 64;           // channels
  bool causal = false;  // query i sees keys 0 .. i, else all
  AttentionTransform transform = {
      TransformId::kAdaptive, 1, {}};  // one with a TransformDefinition::beta
  AttentionNumbers numbers = AttentionNumbers::kFloat;
};

// Throws std::invalid_argument that names what is wrong.
void validate(const SequenceAttention& attention);

// [heads, n, d] each.
struct Sequences {
  std::vector<float> q, k, v;
};

struct AttendedSequences {
  std::vector<float> out;  // [heads, n, d]
  // [heads, n]
  std::vector<float> largest;      // max_j of q_i . k_j
  std::vector<float> log_sum_exp;  // log sum_j exp(e_ij / theta)
  std::vector<float> entropy;      // H_i, nats
  std::vector<float> beta;         // 1 for softmax

  bool operator==(const AttendedSequences&) const = default;
};
AttendedSequences room_for(const SequenceAttention& attention);

// Bytes of the sequences, the output and what is told about the rows, in numbers of this size.
std::size_t attention_bytes(const SequenceAttention& attention, std::size_t number_bytes);
// The largest n, 0 for none, whose attention_bytes are at most `bytes`.
int longest_attention(const SequenceAttention& attention, std::size_t number_bytes,
                      std::size_t bytes);

// Uniform numbers of mean 0 and variance 1, those of q `spread` times as large: logits with a
// standard deviation of `spread`. The first n tokens are the same for any n; rounded to bf16 where
// that is what is attended in.
Sequences draw_sequences(const SequenceAttention& attention, std::uint32_t seed, double spread);

// A row by the formulas above, every step in double.
struct AttendedRow {
  double log_sum_exp = 0;
  double entropy = 0;
  double beta = 1;
  std::vector<double> out;  // [d]
};
AttendedRow attend_row(const SequenceAttention& attention, const Sequences& sequences, int head,
                       int query);

// A tile of queries of a head, from `first_query` on, past all their keys: products in float, sums
// over keys in double, in a fixed order.
inline constexpr int kTileQueries = 64;
void attend_tile(const SequenceAttention& attention, const Sequences& sequences, int head,
                 int first_query, AttendedSequences& to);

}  // namespace dispersion

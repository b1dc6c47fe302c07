#include "core/attention/sequence_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "core/attention/sequence_pieces.h"
#include "core/attention/softmax.h"
#include "core/attention/transforms.h"
#include "core/math/area.h"
#include "core/precision/rounding.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("attention over sequences: " + why);
}

// Those that two passes over the keys suffice for.
void require_softmax(const AttentionTransform& transform) {
  const TransformDefinition& wanted = transform_definition(transform.id);
  if (wanted.beta != nullptr) return;
  std::string offered;
  for (const TransformDefinition* definition : transform_definitions()) {
    if (definition->beta != nullptr)
      offered.append(offered.empty() ? "" : ", ").append(definition->name);
  }
  refuse(std::string(wanted.name) + " is not offered; there are " + offered);
}

std::size_t row_bytes(const SequenceAttention& attention, std::size_t number_bytes) {
  constexpr std::size_t kArrays = 4;   // q, k, v and the output
  constexpr std::size_t kFigures = 4;  // of a row, always floats
  return static_cast<std::size_t>(attention.heads) *
         (kArrays * static_cast<std::size_t>(attention.d) * number_bytes +
          kFigures * sizeof(float));
}

enum class SequenceKind : std::uint32_t { kQueries, kKeys, kValues };

constexpr int kWords = 4;  // of a block of random numbers

void draw_token(const SequenceAttention& attention, std::uint32_t seed, std::uint32_t set,
                int token, double width, float* to) {
  for (int c = 0; c < attention.d; c += kWords) {
    const PhiloxBlock block = draw_block(
        seed, RandomPurpose::kSequences,
        {static_cast<std::uint32_t>(token), set, static_cast<std::uint32_t>(c), Draw::kChannels});
    for (int w = 0; w < kWords && c + w < attention.d; ++w) {
      const double uniform = static_cast<double>(uniform_from_24_bits(block.word[w]));
      to[c + w] = static_cast<float>(width * (uniform - 0.5));
    }
  }
}

// Returns nothing after a stop.
std::vector<float> draw(const SequenceAttention& attention, std::uint32_t seed, SequenceKind kind,
                        double spread, int first_head, const Progress& keep_going) {
  constexpr int kTokensAtOnce = 4096;             // between two questions whether to go on
  const double width = std::sqrt(12.0) * spread;  // of a uniform number of deviation `spread`
  const auto d = static_cast<std::size_t>(attention.d);
  const std::size_t rows = area(attention.heads, attention.n);
  std::vector<float> drawn(rows * d);
  for (int head = 0; head < attention.heads; ++head) {
    const std::uint32_t set =
        3 * static_cast<std::uint32_t>(first_head + head) + static_cast<std::uint32_t>(kind);
    for (int token = 0; token < attention.n; ++token) {
      const std::size_t row = area(head, attention.n) + static_cast<std::size_t>(token);
      draw_token(attention, seed, set, token, width, drawn.data() + row * d);
      if ((row + 1) % kTokensAtOnce != 0) continue;
      if (!keep_going(static_cast<double>(row + 1) / static_cast<double>(rows))) return {};
    }
  }
  if (attention.numbers == AttentionNumbers::kBf16)
    round_values(Rounding::kBf16, drawn.data(), drawn.data(), drawn.size());
  return drawn;
}

// Several sums at once, joined at the end: one after the other would wait for every addition.
double dot(const float* a, const float* b, int count) {
  constexpr int kSums = 8;
  double sums[kSums] = {};
  int i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (int s = 0; s < kSums; ++s)
      sums[s] += static_cast<double>(a[i + s]) * static_cast<double>(b[i + s]);
  }
  for (; i < count; ++i)
    sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (int s = 1; s < kSums; ++s)
    sums[0] += sums[s];
  return sums[0];
}

}  // namespace

std::string_view attention_numbers_name(AttentionNumbers numbers) {
  return numbers == AttentionNumbers::kFloat ? "fp32" : "bf16";
}

void validate(const SequenceAttention& attention) {
  constexpr int kMostHeads = 65'535;  // of a launch on a CUDA device
  if (attention.heads < 1 || attention.heads > kMostHeads)
    refuse(std::to_string(attention.heads) + " heads; 1 to 65535 are possible");
  if (attention.n < 1) refuse("n is " + std::to_string(attention.n) + "; it must be at least 1");
  if (attention.d != 64 && attention.d != 128 && attention.d != 256)
    refuse("d is " + std::to_string(attention.d) + "; it must be 64, 128 or 256");
  try {
    validate(attention.transform);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  require_softmax(attention.transform);
}

AttendedSequences room_for(const SequenceAttention& attention) {
  const std::size_t rows = area(attention.heads, attention.n);
  AttendedSequences room;
  room.out.resize(rows * static_cast<std::size_t>(attention.d));
  for (std::vector<float>* figures : {&room.largest, &room.log_sum_exp, &room.entropy, &room.beta})
    figures->resize(rows);
  return room;
}

std::size_t attention_bytes(const SequenceAttention& attention, std::size_t number_bytes) {
  return static_cast<std::size_t>(attention.n) * row_bytes(attention, number_bytes);
}

int longest_attention(const SequenceAttention& attention, std::size_t number_bytes,
                      std::size_t bytes) {
  constexpr auto kLongest = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(bytes / row_bytes(attention, number_bytes), kLongest));
}

Sequences draw_sequences(const SequenceAttention& attention, std::uint32_t seed, double spread) {
  return draw_heads(attention, seed, spread, 0, {});
}

Sequences draw_heads(const SequenceAttention& attention, std::uint32_t seed, double spread,
                     int first_head, const Progress& keep_going) {
  Sequences sequences;
  const auto next = [&](SequenceKind kind, double deviation, double from) {
    if (keep_going.stopped()) return std::vector<float>();
    return draw(attention, seed, kind, deviation, first_head,
                keep_going.part(from, from + 1.0 / 3));
  };
  sequences.q = next(SequenceKind::kQueries, spread, 0);
  sequences.k = next(SequenceKind::kKeys, 1, 1.0 / 3);
  sequences.v = next(SequenceKind::kValues, 1, 2.0 / 3);
  return sequences;
}

AttendedRow attend_row(const SequenceAttention& attention, const Sequences& sequences, int head,
                       int query) {
  const auto d = static_cast<std::size_t>(attention.d);
  const std::size_t first = area(head, attention.n);
  const std::size_t keys = static_cast<std::size_t>(attention.causal ? query + 1 : attention.n);
  const float* q = sequences.q.data() + (first + static_cast<std::size_t>(query)) * d;
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  std::vector<double> logits(keys);
  for (std::size_t j = 0; j < keys; ++j)
    logits[j] = scale * dot(q, sequences.k.data() + (first + j) * d, attention.d);
  std::vector<double> weights(keys);
  const LogitSummary summary = summarise_logits<double>(logits, attention.transform.theta);
  const TransformResult result = attention_weights<double>(logits, attention.transform, weights);
  AttendedRow row{summary.max / attention.transform.theta + summary.log_sum, summary.entropy,
                  result.beta, std::vector<double>(d)};
  for (std::size_t j = 0; j < keys; ++j) {
    const float* v = sequences.v.data() + (first + j) * d;
    for (std::size_t c = 0; c < d; ++c)
      row.out[c] += weights[j] * static_cast<double>(v[c]);
  }
  return row;
}

}  // namespace dispersion

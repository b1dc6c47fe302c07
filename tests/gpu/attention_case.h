#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/attention/sequence_attention.h"
#include "gpu/runtime/most_blocks.h"

namespace dispersion {

// Sequences to attend over, and what the device makes of them.

enum class Plant {
  kNothing,
  kOutlier,  // one key that every query likes best
  kEqual,    // all logits of a row equal
  kOffset,   // 10,000 added to every logit
  kSharp,    // logits many times as large
  kRough,    // numbers whose products float has to round
};

struct AttentionCase {
  std::string name;
  int heads;
  int n;
  int d;
  bool causal = false;
  Plant plant = Plant::kNothing;
  AttentionTransform transform = {TransformId::kAdaptive, 1, {}};
  bool bf16 = false;
  int queries = 0;               // of a call; 0: all in one
  int most_blocks = kAnyBlocks;  // on the device at a time
};

inline std::ostream& operator<<(std::ostream& out, const AttentionCase& c) {
  return out << c.name;
}

// What the case is by its definition.
SequenceAttention definition_of(const AttentionCase& c);

// Multiples of 1/4 up to 2 in size, unless rough: every q . k is then exact in float, with the
// offset too, and a test of the offset is one of the kernels alone. Rounded to bf16 if the case
// is.
Sequences attention_sequences(const AttentionCase& c);

struct AttentionResult {
  std::vector<float> out, largest, log_sum_exp, entropy, beta;
  bool operator==(const AttentionResult&) const = default;
};

AttentionResult attend_on_device(const AttentionCase& c, const Sequences& s);

}  // namespace dispersion

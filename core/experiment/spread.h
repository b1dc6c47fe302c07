#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/head/activations.h"
#include "core/head/parameters.h"
#include "core/task/item_sets.h"

namespace dispersion {

// Figure 9: the spread of the attention logits, delta = max_i e_i - min_i e_i, against what the
// proposition on large weights (appendix D) allows, 2 sigma_max(Q) sigma_max(K) |y| max_i |x_i|. Q
// is applied to y, the output of the query network, and K to x_i, the outputs of the item network.
// Everything is computed in double.

// Which logits are measured. Those of the proposition have neither scale nor biases.
struct SpreadTerms {
  bool scaled = false;  // delta and the bound times 1 / sqrt(width), as the head scales its logits
  // With the biases of Q and K. That of K adds the same to every logit and cancels in delta; that
  // of Q does not cancel, so that delta may exceed the bound.
  bool biases = false;

  bool operator==(const SpreadTerms&) const = default;
};

struct SingularValues {
  double query = 0;  // sigma_max of Q's kernel
  double key = 0;    // of K's
};
SingularValues attention_singular_values(const Parameters<double>& head);

struct SetSpread {
  double delta = 0;
  double bound = 0;
  double query_norm = 0;  // |y|
  double item_norm = 0;   // max_i |x_i|
};

// The spread of each set in `activations`, which are those of this head, [sets].
std::vector<SetSpread> set_spreads(const Parameters<double>& head, const SingularValues& singular,
                                   const Activations<double>& activations, SpreadTerms terms);

// The sets on which the spread is measured: the first evaluation sets of this seed and size.
struct SpreadSets {
  std::uint32_t seed = 1;
  int sets = 128;
  int items = 16;
};
ItemSets draw_spread_sets(const SpreadSets& which);

// Means over sets.
struct Spread {
  double delta = 0;
  double bound = 0;
  double largest_share = 0;  // the largest delta / bound of a set; at most 1 where the bound holds
  double sigma_query = 0;
  double sigma_key = 0;
  double query_norm = 0;   // mean |y|
  double item_norm = 0;    // mean of max_i |x_i|
  double kernel_norm = 0;  // L2 norm of all kernels of the head together

  bool operator==(const Spread&) const = default;
};

Spread mean_spread(const Parameters<double>& head, const Activations<double>& activations,
                   SpreadTerms terms);
Spread measure_spread(const Parameters<float>& head, const ItemSetsView& sets, SpreadTerms terms);

}  // namespace dispersion

#pragma once

#include "core/attention/sequence_attention.h"

namespace dispersion {

// What the errors of a row of attention over sequences grow with.
struct RowSizes {
  double largest;  // max_j of q . k_j
  double partial;  // the largest product, and sum of products on the way to a q . k, in size
  // Sum over keys of p |1 - (log p + H)|, p = softmax(e / theta): by how much the entropy changes
  // at most when weights are wrong by parts of themselves, the logits they are weighted with not.
  double entropy_slope;
  // Exponentials that are multiplied to a weight: its own and one whenever the largest rises, and
  // when sums begin anew.
  int exponentials;
};
RowSizes row_sizes(const SequenceAttention& attention, const Sequences& sequences, int head,
                   int query);

// By how much a device may be further off than the emulation is, in the worst case: nothing on the
// emulation itself.
struct RowErrors {
  double logit;   // of e_j, by the sums of tensor cores
  double weight;  // as a part of it
  double pooled;  // of a pooled value of 1 at most, by both, with the weights' logits right
};
RowErrors device_errors(const SequenceAttention& attention, const RowSizes& sizes);

}  // namespace dispersion

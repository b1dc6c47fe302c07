#pragma once

#include <span>

namespace dispersion {

// Maps beside softmax (notes in README, "Other maps"). logits, weights: [items]. A logit of
// -infinity is masked and gets weight 0; at least one logit must be finite.

// softmax(ln(n) e), n = number of unmasked items (Chiang & Cholak, arXiv 2202.12172).
template <class Scalar>
void log_n_softmax(std::span<const Scalar> logits, std::span<Scalar> weights);

// Euclidean projection onto the simplex (Martins & Astudillo, arXiv 1602.02068). Returns the number
// of items with weight above 0.
template <class Scalar>
int sparsemax(std::span<const Scalar> logits, std::span<Scalar> weights);

// 1.5-entmax (Peters et al., arXiv 1905.05702): [e/2 - tau]_+^2, tau exact by sorting. Returns the
// number of items with weight above 0.
template <class Scalar>
int entmax15(std::span<const Scalar> logits, std::span<Scalar> weights);

// Softmax over the k largest logits, the lower index first among ties.
template <class Scalar>
void top_k_softmax(std::span<const Scalar> logits, int k, std::span<Scalar> weights);

}  // namespace dispersion

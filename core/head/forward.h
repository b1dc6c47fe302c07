#pragma once

#include <span>

#include "core/attention/attention_transform.h"
#include "core/head/activations.h"
#include "core/head/parameters.h"
#include "core/task/item_sets.h"

namespace dispersion {

// The head of appendix A (equations 9 to 14) as its Flax listing computes it, for float and double.
// K and V are re-associated, which is exact: a score is h_i . (K^T Q psi_q(q)), with one vector per
// set, and V acts after pooling.

// h = psi_x(x): two dense layers, GELU after both. Row r is item r of class item_class[r].
// embedding, hidden and, unless null, their GELU slopes: [rows, width].
template <class Scalar>
void embed_items(const Parameters<Scalar>& head, const float* priority,
                 const std::uint8_t* item_class, int rows, Scalar* hidden, Scalar* hidden_slope,
                 Scalar* embedding, Scalar* embedding_slope);

// psi_q and the query's share of the scores: fills query_hidden .. score_offset. query: [sets].
template <class Scalar>
void embed_queries(const Parameters<Scalar>& head, const float* query, int sets,
                   Activations<Scalar>& activations);

// From pooled_embedding to readout_hidden before its GELU, for the first `sets` rows: V, the output
// projection and the readout's first layer, with nothing between them that is not linear.
template <class Scalar>
void project_pooled(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations);

// From there to class_logits.
template <class Scalar>
void classify_hidden(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations);

// Both.
template <class Scalar>
void read_out(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations);

// e_i = h_i . u + offset: one set. embedding [items, width], score_vector [width], logits [items].
template <class Scalar>
void score_items(const Scalar* embedding, int items, int width, const Scalar* score_vector,
                 Scalar score_offset, Scalar* logits);

// sum_i a_i h_i of one set, replaced or added: weights [items], embedding [items, width],
// pooled [width].
template <class Scalar>
void pool_items(const Scalar* weights, const Scalar* embedding, int items, int width, bool add,
                Scalar* pooled);

// Everything, for sets of one size.
template <class Scalar>
void forward(const Parameters<Scalar>& head, const ItemSetsView& sets,
             const AttentionTransform& transform, Activations<Scalar>& activations);

// Index of the first largest class logit.
template <class Scalar>
int predicted_class(std::span<const Scalar> class_logits);

// -log softmax(class_logits)[label], nats.
template <class Scalar>
double cross_entropy(std::span<const Scalar> class_logits, int label);

}  // namespace dispersion

#pragma once

#include "core/head/backward.h"

namespace dispersion {

// The steps of backward(), which the spectral path takes too: its item and query networks run at
// interpolation points, and its gradients with respect to their curves come from interpolation.

// d cross-entropy / d class logits = softmax - onehot(label), times set_weight; [sets, classes].
template <class Scalar>
BatchLoss loss_backward(const Activations<Scalar>& activations, const ItemSetsView& sets,
                        Scalar set_weight, Scalar* class_logit_gradient);

// Back through the readout, the output projection and V, from workspace.class_logit_gradient;
// returns d / d pooled_embedding, [sets, width].
template <class Scalar>
Scalar* readout_backward(const Parameters<Scalar>& head, const Activations<Scalar>& activations,
                         BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient);

// Back through K, Q and psi_q of sets.sets queries. score_gradient (d / d score_vector, [sets,
// width]) is overwritten; workspace.score_offset_gradient [sets] is read, set_gradient_b used.
template <class Scalar>
void query_backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                    Scalar* score_gradient, Activations<Scalar>& activations,
                    BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient);

// Back through psi_x of all items. activations.item_embedding_slope holds d / d (second layer
// before GELU).
template <class Scalar>
void item_backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                   Activations<Scalar>& activations, BackwardWorkspace<Scalar>& workspace,
                   Parameters<Scalar>& gradient);

}  // namespace dispersion

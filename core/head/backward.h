#pragma once

#include "core/head/activations.h"
#include "core/head/parameters.h"
#include "core/task/item_sets.h"

namespace dispersion {

// Memory that backward needs beside the activations; kept from batch to batch.
template <class Scalar>
struct BackwardWorkspace {
  AlignedBuffer<Scalar> item_hidden_gradient;   // [rows, width]
  AlignedBuffer<Scalar> logit_gradient;         // [sets, items]
  AlignedBuffer<Scalar> weight_gradient;        // [items]
  AlignedBuffer<Scalar> class_logit_gradient;   // [sets, classes]
  AlignedBuffer<Scalar> set_gradient_a;         // [sets, width]
  AlignedBuffer<Scalar> set_gradient_b;         // [sets, width]
  AlignedBuffer<Scalar> score_offset_gradient;  // [sets]
  AlignedBuffer<Scalar> class_sums;             // [classes, width]
};

// Sums over the sets of a batch.
struct BatchLoss {
  double cross_entropy = 0;  // nats
  int correct = 0;
};

// Derived by hand; checked against finite differences in double and against JAX.
// gradient is replaced by d/dparameters of set_weight * sum over sets of the cross-entropy; with
// set_weight = 1 / batch over slices of a batch, the slices' gradients add up to the batch's. The
// L2 term is not in it (core/head/regularisation.h). `activations` are those of forward() on the
// same sets; their slopes are overwritten.
template <class Scalar>
BatchLoss backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                   const AttentionTransform& transform, BetaGradient beta_gradient,
                   Scalar set_weight, Activations<Scalar>& activations,
                   BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient);

}  // namespace dispersion

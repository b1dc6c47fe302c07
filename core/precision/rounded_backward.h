#pragma once

#include "core/head/backward.h"
#include "core/precision/rounded_head.h"

namespace dispersion {

// Memory that the backward pass needs beside the activations; kept from batch to batch.
struct RoundedBackwardWorkspace {
  AlignedBuffer<float> item_gradient_a;       // [rows, width]
  AlignedBuffer<float> item_gradient_b;       // [rows, width]
  AlignedBuffer<float> key_value_gradient;    // [rows, 2 width]
  AlignedBuffer<float> key_value_kernel;      // gradient, [width, 2 width]
  AlignedBuffer<float> class_logit_gradient;  // [sets, classes]
  AlignedBuffer<float> set_gradient_a;        // [sets, width]
  AlignedBuffer<float> set_gradient_b;        // [sets, width]
  AlignedBuffer<float> weight_gradient;       // [items]
  AlignedBuffer<float> logit_gradient;        // [items]
};

// backward() of core/head/backward.h for the rounded head: rounding is passed through as if it were
// the identity, and both inputs of every product of the backward pass are rounded. Gradients of
// biases are sums of unrounded gradients. `activations` are those of rounded_forward() on the same
// sets, under the same transform with beta taken as a constant.
BatchLoss rounded_backward(const RoundedHead& head, const ItemSetsView& sets,
                           const AttentionTransform& transform, float set_weight,
                           RoundedActivations& activations, RoundedBackwardWorkspace& workspace,
                           Parameters<float>& gradient);

}  // namespace dispersion

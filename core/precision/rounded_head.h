#pragma once

#include <vector>

#include "core/attention/attention_transform.h"
#include "core/attention/transforms.h"
#include "core/head/parameters.h"
#include "core/math/aligned_buffer.h"
#include "core/precision/rounding.h"
#include "core/task/item_sets.h"

namespace dispersion {

// The head with both inputs of every matrix product rounded and everything else in float: products
// are summed in float; biases, GELU, the attention transform and the loss see unrounded numbers.
// Products stand in the order of the paper's listing (appendix A), with a key and a value per item,
// because rounding does not re-associate. With Rounding::kNone it is the head of
// core/head/forward.h.

// A head made ready: its kernels rounded, its biases as they are.
struct RoundedHead {
  Rounding rounding = Rounding::kNone;
  Parameters<float> parameters;
  std::vector<float> key_value_kernel;  // K and V side by side, [width, 2 width]
  std::vector<float> key_value_bias;    // [2 width]

  // Keeps its memory when it is large enough.
  void assign(const Parameters<float>& head, Rounding round);
};

// What the forward pass leaves for backward. Inputs of products are kept rounded.
// rows = sets * items, width = shape.width.
struct RoundedActivations {
  int sets = 0;
  int items = 0;

  AlignedBuffer<float> item_hidden;           // [rows, width], rounded
  AlignedBuffer<float> item_hidden_slope;     // GELU', [rows, width]
  AlignedBuffer<float> item_embedding;        // [rows, width], rounded
  AlignedBuffer<float> item_embedding_slope;  // GELU', [rows, width]
  AlignedBuffer<float> key_value;             // a key, then a value, [rows, 2 width], rounded
  AlignedBuffer<float> query_hidden;          // [sets, width], rounded
  AlignedBuffer<float> query_hidden_slope;    // [sets, width]
  AlignedBuffer<float> query_vector;          // psi_q(q), [sets, width], rounded
  AlignedBuffer<float> query;              // (Q psi_q + bias) / sqrt(width), [sets, width], rounded
  AlignedBuffer<float> attention_logits;   // [sets, items]
  AlignedBuffer<float> attention;          // weights, [sets, items]
  AlignedBuffer<float> rounded_attention;  // [sets, items]
  std::vector<TransformResult> transform_results;  // [sets]
  AlignedBuffer<float> pooled;                // sum of weight times value, [sets, width], rounded
  AlignedBuffer<float> attended;              // after the output projection, [sets, width], rounded
  AlignedBuffer<float> readout_hidden;        // [sets, width], rounded
  AlignedBuffer<float> readout_hidden_slope;  // [sets, width]
  AlignedBuffer<float> class_logits;          // [sets, classes]
};

// From items to key_value, for `rows` items. The slopes are filled only when `with_slopes`.
void rounded_items(const RoundedHead& head, const float* priority, const std::uint8_t* item_class,
                   int rows, bool with_slopes, RoundedActivations& activations);

// From query numbers [sets] to `query`.
void rounded_queries(const RoundedHead& head, const float* query, int sets,
                     RoundedActivations& activations);

// From `pooled` to class_logits, for the first `sets` rows.
void rounded_readout(const RoundedHead& head, int sets, RoundedActivations& activations);

// Sum of a[j] b[j] in 16 lanes that are added pairwise at the end: an order that depends on the
// width alone.
float ordered_dot(const float* a, const float* b, int width);

// Everything, for sets of one size.
void rounded_forward(const RoundedHead& head, const ItemSetsView& sets,
                     const AttentionTransform& transform, RoundedActivations& activations);

}  // namespace dispersion

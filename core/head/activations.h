#pragma once

#include <vector>

#include "core/attention/transforms.h"
#include "core/head/parameters.h"
#include "core/math/aligned_buffer.h"

namespace dispersion {

// What forward computes and backward and the displays need. Memory is kept from batch to batch.
// rows = sets * items, width = shape.width.
template <class Scalar>
struct Activations {
  HeadShape shape;
  int sets = 0;
  int items = 0;

  AlignedBuffer<Scalar> item_hidden;           // GELU of the first item layer, [rows, width]
  AlignedBuffer<Scalar> item_hidden_slope;     // GELU' there, [rows, width]
  AlignedBuffer<Scalar> item_embedding;        // h = psi_x(x), [rows, width]
  AlignedBuffer<Scalar> item_embedding_slope;  // GELU' of the second item layer, [rows, width]
  AlignedBuffer<Scalar> query_hidden;          // [sets, width]
  AlignedBuffer<Scalar> query_hidden_slope;    // [sets, width]
  AlignedBuffer<Scalar> query_vector;          // psi_q(q), [sets, width]
  AlignedBuffer<Scalar> query_projection;      // Q psi_q + bias, [sets, width]
  AlignedBuffer<Scalar> score_vector;      // u = K^T (Q psi_q + bias) / sqrt(width), [sets, width]
  AlignedBuffer<Scalar> score_offset;      // key bias . (Q psi_q + bias) / sqrt(width), [sets]
  AlignedBuffer<Scalar> attention_logits;  // e_i = h_i . u + offset, [sets, items]
  AlignedBuffer<Scalar> attention;         // weights, [sets, items]
  std::vector<TransformResult> transform_results;  // [sets]
  AlignedBuffer<Scalar> pooled_embedding;          // sum_i a_i h_i, [sets, width]
  AlignedBuffer<Scalar> pooled_values;             // V applied to it, [sets, width]
  AlignedBuffer<Scalar> attended;                  // after the output projection, [sets, width]
  AlignedBuffer<Scalar> readout_hidden;            // [sets, width]
  AlignedBuffer<Scalar> readout_hidden_slope;      // [sets, width]
  AlignedBuffer<Scalar> class_logits;              // [sets, classes]
};

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/aligned_buffer.h"
#include "core/spectral/spectral_tables.h"

namespace dispersion {

// A row of weights and where its pooled form goes.
struct Pooling {
  const float* weights;  // [items]
  float* node_weights;   // [nodes], replaced
};

// Logits and pooling of the items of one set by the spectral path: short sets by interpolation
// through the Chebyshev points, long ones by cubics in cells. One set at a time; a thread each.
class ItemLogits {
 public:
  // Sets up for a set; the arrays must stay until the last call for it. priority, item_class:
  // [items].
  void begin(const SpectralTables& tables, const float* priority, const std::uint8_t* item_class,
             int items, float query);

  // logits[i] less `constant()`, which all items of the set share: [items].
  void compute(float* logits);
  double constant() const { return constant_; }

  // The first largest logit. Where float cannot tell the largest ones apart, they are computed
  // again in double. `logits` are those of compute(), `top` the largest of them.
  int argmax(const float* logits, float top) const;

  // sum_i weight_i h_i as weights of the nodes, for each row.
  void pool(std::span<const Pooling> rows);
  // The same for one row, where few weights are not 0.
  void pool_few(const float* weights, float* node_weights) const;

 private:
  bool short_set() const;
  double exact_logit(int item) const;
  void compute_short(float* logits);
  void compute_long(float* logits);
  void pool_short(const Pooling& row) const;
  template <int kRows>
  void add_moments(const Pooling* rows);
  void pool_long(std::span<const Pooling> rows);  // one or two

  const SpectralTables* tables_ = nullptr;
  const float* priority_ = nullptr;
  const std::uint8_t* item_class_ = nullptr;
  int items_ = 0;
  double constant_ = 0;
  std::vector<double> node_logits_;   // [nodes], of the set's query
  AlignedBuffer<double> basis_;       // of a short set, [items, points]
  AlignedBuffer<float> cell_logits_;  // of a long set, [classes, cells, 4]
  AlignedBuffer<std::int32_t> cell_;  // 4 (class cells + cell), [items]
  AlignedBuffer<float> place_;        // t in [0, 1) across the cell, [items]
  AlignedBuffer<float> moments_;      // sums of weight t^p, [classes, cells, rows, 4]
  AlignedBuffer<float> row_moments_;  // of one row, [classes, cells, 4]
};

}  // namespace dispersion

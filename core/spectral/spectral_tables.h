#pragma once

#include <vector>

#include "core/head/parameters.h"
#include "core/spectral/chebyshev.h"
#include "core/spectral/points.h"

namespace dispersion {

// What evaluating a head by the spectral path needs, made once per head. The nodes are the
// Chebyshev points of every class, class by class.
struct SpectralTables {
  HeadShape shape;
  SpectralPoints chosen;
  InterpolationPoints items;
  InterpolationPoints queries;
  std::vector<float> embedding;  // h at the nodes, [nodes, width]
  // The readout's hidden layer before GELU, where all weight is on a node: [nodes, width]. It is
  // linear in the weights up to there, which add up to 1.
  std::vector<float> readout;
  std::vector<double> node_logits;  // for every query point, less its middle, [query points, nodes]
  std::vector<double> middle;       // what was subtracted, [query points]
  CellMatrix cells;                 // no cells: the curves are too steep for them
  std::vector<float> cell_matrix;   // `cells.matrix` in float
  // Cubics of the logits: [query points, classes, cells, 4].
  std::vector<double> cell_logits;

  int nodes() const { return shape.classes * items.count(); }
};

// `points` must be spectral. Computed in double.
SpectralTables make_spectral_tables(const Parameters<float>& head, const SpectralPoints& points);

// Logits of one set's query at the nodes, [nodes], and what they lack, which is the same for all
// items.
double set_node_logits(const SpectralTables& tables, float query, double* node_logits);

// Cubics of the logits for one set's query: [classes, cells, 4], without the same constant.
void set_cell_logits(const SpectralTables& tables, float query, float* cell_logits);

}  // namespace dispersion

#include "core/spectral/spectral_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

// Numbers of cells to try. An error of the cubics below this share of the logits' range is less
// than float makes of it.
constexpr std::array<int, 3> kCells = {64, 128, 256};
constexpr double kCellTolerance = 2e-8;

std::vector<double> embed_nodes(const Parameters<double>& head, const InterpolationPoints& points) {
  const int rows = head.shape.classes * points.count();
  std::vector<float> priority;
  std::vector<std::uint8_t> item_class;
  for (int c = 0; c < head.shape.classes; ++c) {
    priority.insert(priority.end(), points.point.begin(), points.point.end());
    item_class.insert(item_class.end(), points.point.size(), static_cast<std::uint8_t>(c));
  }
  std::vector<double> embedding(area(rows, head.shape.width));
  std::vector<double> hidden(embedding.size());
  embed_items<double>(head, priority.data(), item_class.data(), rows, hidden.data(), nullptr,
                      embedding.data(), nullptr);
  return embedding;
}

void make_readout(const Parameters<double>& head, const std::vector<double>& embedding,
                  SpectralTables& tables) {
  Activations<double> node;
  std::ranges::copy(embedding, node.pooled_embedding.reserve(embedding.size()));
  project_pooled(head, tables.nodes(), node);
  tables.readout.assign(node.readout_hidden.data(), node.readout_hidden.data() + embedding.size());
}

void make_node_logits(const Parameters<double>& head, const std::vector<double>& embedding,
                      SpectralTables& tables) {
  const int points = tables.queries.count();
  Activations<double> query;
  embed_queries(head, tables.queries.point.data(), points, query);
  tables.node_logits.resize(area(points, tables.nodes()));
  multiply(Transpose::kNo, Transpose::kYes, points, tables.nodes(), head.shape.width,
           query.score_vector.data(), embedding.data(), Into::kReplace, tables.node_logits.data());
  for (int j = 0; j < points; ++j) {
    double* row = tables.node_logits.data() + area(j, tables.nodes());
    const auto [low, high] = std::minmax_element(row, row + tables.nodes());
    const double middle = (*low + *high) / 2;
    for (int k = 0; k < tables.nodes(); ++k)
      row[k] -= middle;
    tables.middle.push_back(middle + query.score_offset.data()[j]);
  }
}

// cell_logits of one query point and class; returns the largest error of the cubics in the cells'
// middles and at their edges.
double make_cubics(const SpectralTables& tables, const double* values, double* cubics) {
  const int points = tables.items.count();
  double error = 0;
  double basis[kMostInterpolationPoints];
  for (int m = 0; m < tables.cells.cells; ++m) {
    double* cubic = cubics + area(m, 4);
    for (int p = 0; p < 4; ++p) {
      const double* row = tables.cells.matrix.data() + area(4 * m + p, points);
      cubic[p] = 0;
      for (int k = 0; k < points; ++k)
        cubic[p] += row[k] * values[k];
    }
    for (const double t : {0.0, 0.5}) {
      lagrange_row(tables.items, (m + t) / tables.cells.cells, basis);
      double truth = 0;
      for (int k = 0; k < points; ++k)
        truth += basis[k] * values[k];
      const double value = cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
      error = std::max(error, std::abs(value - truth));
    }
  }
  return error;
}

double make_cell_logits(SpectralTables& tables) {
  const int classes = tables.shape.classes;
  tables.cell_logits.resize(area(tables.queries.count() * classes, 4 * tables.cells.cells));
  double error = 0;
  for (int row = 0; row < tables.queries.count() * classes; ++row) {
    error = std::max(
        error, make_cubics(tables, tables.node_logits.data() + area(row, tables.items.count()),
                           tables.cell_logits.data() + area(row, 4 * tables.cells.cells)));
  }
  return error;
}

// Sums of the embeddings' channels with changing signs at the nodes, [kProbes, nodes]: curves as
// steep as the embedding's, to measure what the cubics make of it.
constexpr int kProbes = 4;

std::vector<double> make_probes(const SpectralTables& tables,
                                const std::vector<double>& embedding) {
  const int width = tables.shape.width;
  std::vector<double> probes(area(kProbes, tables.nodes()));
  for (int r = 0; r < kProbes; ++r) {
    for (int k = 0; k < tables.nodes(); ++k) {
      double& sum = probes[area(r, tables.nodes()) + static_cast<std::size_t>(k)];
      for (int j = 0; j < width; ++j) {
        const bool minus = ((j >> r) & 1) != 0;
        const double value = embedding[area(k, width) + static_cast<std::size_t>(j)];
        sum += minus ? -value : value;
      }
    }
  }
  return probes;
}

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

double probe_error(const SpectralTables& tables, const std::vector<double>& probes) {
  std::vector<double> cubics(area(4, tables.cells.cells));
  double error = 0;
  for (int row = 0; row < kProbes * tables.shape.classes; ++row) {
    error = std::max(
        error, make_cubics(tables, probes.data() + area(row, tables.items.count()), cubics.data()));
  }
  return error;
}

}  // namespace

SpectralTables make_spectral_tables(const Parameters<float>& head, const SpectralPoints& points) {
  SpectralTables tables;
  tables.shape = head.shape;
  tables.chosen = points;
  tables.items = chebyshev_points(points.item);
  tables.queries = chebyshev_points(points.query);
  const Parameters<double> exact = convert_parameters<double>(head);
  const std::vector<double> embedding = embed_nodes(exact, tables.items);
  tables.embedding.assign(embedding.begin(), embedding.end());
  make_readout(exact, embedding, tables);
  make_node_logits(exact, embedding, tables);
  const std::vector<double> probes = make_probes(tables, embedding);
  for (const int cells : kCells) {
    tables.cells = cell_matrix(tables.items, cells);
    if (make_cell_logits(tables) <= kCellTolerance * largest_magnitude(tables.node_logits) &&
        probe_error(tables, probes) <= kCellTolerance * largest_magnitude(probes)) {
      tables.cell_matrix.assign(tables.cells.matrix.begin(), tables.cells.matrix.end());
      return tables;
    }
  }
  tables.cells = {};
  tables.cell_logits.clear();
  return tables;
}

double set_node_logits(const SpectralTables& tables, float query, double* node_logits) {
  double basis[kMostInterpolationPoints];
  lagrange_basis(tables.queries, &query, 1, basis);
  const int nodes = tables.nodes();
  std::fill_n(node_logits, nodes, 0.0);
  double middle = 0;
  for (int j = 0; j < tables.queries.count(); ++j) {
    const double* row = tables.node_logits.data() + area(j, nodes);
    for (int k = 0; k < nodes; ++k)
      node_logits[k] = std::fma(basis[j], row[k], node_logits[k]);
    middle += basis[j] * tables.middle[static_cast<std::size_t>(j)];
  }
  return middle;
}

void set_cell_logits(const SpectralTables& tables, float query, float* cell_logits) {
  double basis[kMostInterpolationPoints];
  lagrange_basis(tables.queries, &query, 1, basis);
  const int size = tables.shape.classes * 4 * tables.cells.cells;
  constexpr int kBlock = 64;  // sums stay in registers
  for (int first = 0; first < size; first += kBlock) {
    double sums[kBlock] = {};
    for (int j = 0; j < tables.queries.count(); ++j) {
      const double* row = tables.cell_logits.data() + area(j, size) + first;
      for (int i = 0; i < kBlock; ++i)
        sums[i] = std::fma(basis[j], row[i], sums[i]);
    }
    for (int i = 0; i < kBlock; ++i)
      cell_logits[first + i] = static_cast<float>(sums[i]);
  }
}

}  // namespace dispersion

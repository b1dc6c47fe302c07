#include "core/spectral/item_logits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <immintrin.h>

#include "core/math/area.h"
#include "core/math/largest.h"
#include "core/math/product.h"
#include "core/spectral/fixed_count.h"

namespace dispersion {
namespace {

// Below this, making cubics for the set's query costs more than interpolating its items.
constexpr int kShortest = 256;

// Logits closer to the largest than this share of it may be larger in truth: float rounds tables
// and sums to about 3e-7 of the largest logit.
constexpr double kDoubt = 1e-6;
// More doubtful items than this mean that nearly all logits are equal; then float decides.
constexpr int kMostDoubtful = 512;

// to[p] += weight t^p for p = 0 .. 3, in one register: written as a loop, compilers add the powers
// one by one.
[[gnu::always_inline]] inline void add_powers(float t, float weight, float* to) {
  const __m128 one = _mm_set1_ps(1.0f);
  const __m128 first = _mm_blend_ps(one, _mm_set1_ps(t), 0b1010);
  const __m128 second = _mm_blend_ps(one, _mm_set1_ps(t * t), 0b1100);
  const __m128 powers = _mm_mul_ps(first, second);
  _mm_storeu_ps(to, _mm_fmadd_ps(_mm_set1_ps(weight), powers, _mm_loadu_ps(to)));
}

// The same for two weights, side by side.
[[gnu::always_inline]] inline void add_powers(float t, float weight0, float weight1, float* to) {
  const __m256 one = _mm256_set1_ps(1.0f);
  const __m256 first = _mm256_blend_ps(one, _mm256_set1_ps(t), 0b10101010);
  const __m256 second = _mm256_blend_ps(one, _mm256_set1_ps(t * t), 0b11001100);
  const __m256 weights =
      _mm256_blend_ps(_mm256_set1_ps(weight0), _mm256_set1_ps(weight1), 0b11110000);
  const __m256 powers = _mm256_mul_ps(first, second);
  _mm256_storeu_ps(to, _mm256_fmadd_ps(weights, powers, _mm256_loadu_ps(to)));
}

}  // namespace

bool ItemLogits::short_set() const {
  return items_ < kShortest || tables_->cells.cells == 0;
}

void ItemLogits::begin(const SpectralTables& tables, const float* priority,
                       const std::uint8_t* item_class, int items, float query) {
  tables_ = &tables;
  priority_ = priority;
  item_class_ = item_class;
  items_ = items;
  node_logits_.resize(static_cast<std::size_t>(tables.nodes()));
  constant_ = set_node_logits(tables, query, node_logits_.data());
  if (!short_set()) {
    set_cell_logits(tables, query,
                    cell_logits_.reserve(area(4 * tables.cells.cells, tables.shape.classes)));
  }
}

void ItemLogits::compute(float* logits) {
  if (short_set()) {
    compute_short(logits);
  } else {
    compute_long(logits);
  }
}

void ItemLogits::compute_short(float* logits) {
  const int points = tables_->items.count();
  double* basis = basis_.reserve(area(items_, points));
  if (tables_->cells.cells > 0) {
    cubic_basis(tables_->cells, priority_, items_, basis);
  } else {
    lagrange_basis(tables_->items, priority_, items_, basis);
  }
  with_fixed_count(points, [&](auto fixed) {
    for (int i = 0; i < items_; ++i) {
      logits[i] = static_cast<float>(short_dot<fixed()>(
          basis + area(i, points), node_logits_.data() + area(item_class_[i], points), points));
    }
  });
}

void ItemLogits::compute_long(float* logits) {
  const int cells = tables_->cells.cells;
  const float* cubic = cell_logits_.data();
  std::int32_t* cell = cell_.reserve(static_cast<std::size_t>(items_));
  float* place = place_.reserve(static_cast<std::size_t>(items_));
  for (int i = 0; i < items_; ++i) {
    const auto [m, t] = place_in_cells(priority_[i], cells);
    const std::int32_t first = 4 * (item_class_[i] * cells + m);
    cell[i] = first;
    place[i] = t;
    float value = std::fma(cubic[first + 3], t, cubic[first + 2]);
    value = std::fma(value, t, cubic[first + 1]);
    logits[i] = std::fma(value, t, cubic[first]);
  }
}

double ItemLogits::exact_logit(int item) const {
  const int points = tables_->items.count();
  double basis[kMostInterpolationPoints];
  lagrange_row(tables_->items, static_cast<double>(priority_[item]), basis);
  return short_dot<0>(basis, node_logits_.data() + area(item_class_[item], points), points);
}

int ItemLogits::argmax(const float* logits, float top) const {
  const std::size_t count = static_cast<std::size_t>(items_);
  const double doubt = kDoubt * std::max(std::abs(static_cast<double>(top)), 1.0);
  const float least = static_cast<float>(static_cast<double>(top) - doubt);
  int best = -1;
  double best_logit = -std::numeric_limits<double>::infinity();
  int doubtful = 0;
  for (int i = first_at_least({logits, count}, least, 0); i < items_;
       i = first_at_least({logits, count}, least, i + 1)) {
    if (++doubtful > kMostDoubtful) return first_at_least({logits, count}, top, 0);
    const double logit = exact_logit(i);
    if (logit > best_logit) {
      best = i;
      best_logit = logit;
    }
  }
  // Only where nothing is a number.
  return best < 0 ? 0 : best;
}

void ItemLogits::pool(std::span<const Pooling> rows) {
  // Two rows of a long set share one vector register, and the way to it.
  const std::size_t at_once = short_set() ? 1 : 2;
  for (std::size_t r = 0; r < rows.size(); r += at_once) {
    if (short_set()) {
      pool_short(rows[r]);
    } else {
      pool_long(rows.subspan(r, std::min(at_once, rows.size() - r)));
    }
  }
}

void ItemLogits::pool_few(const float* weights, float* node_weights) const {
  const std::span<const float> all(weights, static_cast<std::size_t>(items_));
  const int points = tables_->items.count();
  constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
  double basis[kMostInterpolationPoints];
  std::fill_n(node_weights, tables_->nodes(), 0.0f);
  for (int i = first_at_least(all, kSmallest, 0); i < items_;
       i = first_at_least(all, kSmallest, i + 1)) {
    lagrange_row(tables_->items, static_cast<double>(priority_[i]), basis);
    float* to = node_weights + area(item_class_[i], points);
    for (int k = 0; k < points; ++k)
      to[k] += weights[i] * static_cast<float>(basis[k]);
  }
}

void ItemLogits::pool_short(const Pooling& row) const {
  const int points = tables_->items.count();
  std::fill_n(row.node_weights, tables_->nodes(), 0.0f);
  with_fixed_count(points, [&](auto fixed) {
    const int n = fixed() > 0 ? fixed() : points;
    for (int i = 0; i < items_; ++i) {
      const double* basis = basis_.data() + area(i, points);
      float* to = row.node_weights + area(item_class_[i], points);
      for (int k = 0; k < n; ++k)
        to[k] = std::fma(row.weights[i], static_cast<float>(basis[k]), to[k]);
    }
  });
}

template <int kRows>
void ItemLogits::add_moments(const Pooling* rows) {
  const std::size_t size = area(tables_->shape.classes, 4 * tables_->cells.cells) * kRows;
  float* moments = moments_.reserve(size);
  std::fill_n(moments, size, 0.0f);
  const float* from[kRows];
  for (int r = 0; r < kRows; ++r)
    from[r] = rows[r].weights;
  const float* place = place_.data();
  const std::int32_t* cell = cell_.data();
  for (int i = 0; i < items_; ++i) {
    float* to = moments + kRows * cell[i];
    if constexpr (kRows == 1) {
      add_powers(place[i], from[0][i], to);
    } else {
      add_powers(place[i], from[0][i], from[1][i], to);
    }
  }
}

void ItemLogits::pool_long(std::span<const Pooling> rows) {
  const int classes = tables_->shape.classes;
  const int cells = tables_->cells.cells;
  const int count = static_cast<int>(rows.size());
  if (count == 2) {
    add_moments<2>(rows.data());
  } else {
    add_moments<1>(rows.data());
  }
  float* moments = row_moments_.reserve(area(classes, 4 * cells));
  for (int r = 0; r < count; ++r) {
    for (int c = 0; c < classes * cells; ++c)
      std::copy_n(moments_.data() + 4 * (c * count + r), 4, moments + 4 * c);
    multiply(Transpose::kNo, Transpose::kNo, classes, tables_->items.count(), 4 * cells, moments,
             tables_->cell_matrix.data(), Into::kReplace, rows[r].node_weights);
  }
}

}  // namespace dispersion

// What rounded priorities leave to a perfect argmax, against counting on drawn sets, against small
// cases by hand and against the numbers that the design was made with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/experiment/precision_comparison.h"
#include "core/experiment/size_table.h"
#include "core/precision/rounding.h"

namespace dispersion {
namespace {

// Mean over drawn sets of the share of the tied maxima that have the right class.
double counted(Rounding rounding, int items, int count, double& standard_error) {
  ItemSets sets;
  sets.resize(count, items);
  draw_item_sets(11, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  round_values(rounding, sets.priority.data(), sets.priority.data(), sets.priority.size());
  double sum = 0;
  double squares = 0;
  for (int s = 0; s < count; ++s) {
    const float* priority = sets.priority.data() + s * items;
    const float top = *std::max_element(priority, priority + items);
    int tied = 0;
    int right = 0;
    for (int i = 0; i < items; ++i) {
      if (priority[i] != top) continue;
      ++tied;
      right += sets.item_class[s * items + i] == sets.label[s] ? 1 : 0;
    }
    const double share = static_cast<double>(right) / tied;
    sum += share;
    squares += share * share;
  }
  const double mean = sum / count;
  standard_error = std::sqrt((squares / count - mean * mean) / count);
  return mean;
}

TEST(PerfectArgmax, AgreesWithCounting) {
  for (const Precision precision : {Precision::kBf16, Precision::kFp16Priorities}) {
    for (const int items : {2, 16, 128, 1024, 8192}) {
      double error = 0;
      const double share =
          counted(priority_rounding(precision), items, std::min(20000, 2'000'000 / items), error);
      EXPECT_NEAR(perfect_argmax_accuracy(precision, items), share, 4 * error + 1e-3) << items;
    }
  }
}

TEST(PerfectArgmax, TwoItemsByHand) {
  // Two items tie with probability sum p^2. In bf16 numbers of [1/2, 1) take 2^-8 each but for 1/2
  // itself, which takes half of that above and a quarter below, and 1, which takes 2^-9.
  double ties = 127 * 0x1p-16 + 0x1p-18;
  double step = 0x1p-9;  // between numbers of the next octave; 1/2 has three quarters of the larger
  for (int i = 1; i < 60; ++i) {
    ties += 9.0 / 16 * (4 * step * step) + 127 * step * step;
    step /= 2;
  }
  // The grid of 2^-24 moves what ties go where, by that much.
  EXPECT_NEAR(perfect_argmax_accuracy(Precision::kBf16, 2), 1 - 0.9 * ties / 2, 1e-6);
}

TEST(PerfectArgmax, OneItemIsAlwaysRight) {
  EXPECT_NEAR(perfect_argmax_accuracy(Precision::kBf16, 1), 1, 1e-12);
  EXPECT_NEAR(perfect_argmax_accuracy(Precision::kFp16, 1), 1, 1e-12);
  EXPECT_EQ(perfect_argmax_accuracy(Precision::kFloat, 1), 1);
}

// The priorities themselves lie on a grid of 2^-24: the definition summed from the largest grid
// point down, as far as a set's largest priority may lie.
double by_grid_points(int items) {
  const double points = 16'777'216;
  double mean = 0;
  for (double below = points - 1; below >= 0; --below) {
    const double log_none = items * std::log((below + 1) / points);
    if (log_none < -45) break;
    // k items on this point and none above it, relative to none on it and none above.
    double term = std::exp(items * std::log(below / points));
    if (below == 0) return mean;
    for (int k = 1; k <= std::min(items, 60); ++k) {
      term *= (items - k + 1.0) / k / below;
      mean += term / k;
    }
  }
  return mean;
}

TEST(PerfectArgmax, UnroundedPrioritiesTieWhereThereAreAsManyAsGridPoints) {
  for (const int items : {1 << 16, 1 << 20, (1 << 20) + 1, 1 << 22, 1 << 24}) {
    const double share = by_grid_points(items);
    EXPECT_NEAR(perfect_argmax_accuracy(Precision::kFloat, items), 0.1 + 0.9 * share, 1e-9)
        << items;
  }
  EXPECT_NEAR(100 * perfect_argmax_accuracy(Precision::kFloat, 1 << 20), 98.6, 0.05);
  // Two items tie with probability 2^-24, and then half of the answers are drawn.
  EXPECT_EQ(perfect_argmax_accuracy(Precision::kFloat, 2), 1 - 0.9 * 0x1p-25);
  EXPECT_GT(perfect_argmax_accuracy(Precision::kFloat, 16), 0.999999);
}

TEST(PerfectArgmax, OneClassCannotBeMissedAndManyItemsLeaveChance) {
  EXPECT_NEAR(perfect_argmax_accuracy(Precision::kBf16, 1000, 1), 1, 1e-12);
  // In a million items some 1953 share the largest number.
  EXPECT_NEAR(perfect_argmax_accuracy(Precision::kBf16, 1'000'000), 0.1 + 0.9 / 1953, 1e-6);
}

TEST(PerfectArgmax, Bf16AsInTheDesign) {
  // Counted there on drawn sets, to about half a point.
  const std::vector<double> percent = {98.6, 97.2, 94.9, 90.3, 83.1, 72.9,
                                       59.3, 38.9, 23.3, 16.1, 12.9};
  const std::vector<int> sizes = doubling_sizes();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    EXPECT_NEAR(100 * perfect_argmax_accuracy(Precision::kBf16, sizes[i]), percent[i], 0.6)
        << sizes[i];
}

TEST(PerfectArgmax, RefusesNothing) {
  EXPECT_THROW(perfect_argmax_accuracy(Precision::kBf16, 0), std::invalid_argument);
  EXPECT_THROW(perfect_argmax_accuracy(Precision::kBf16, 5, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion

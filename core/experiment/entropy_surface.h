#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/progress.h"

namespace dispersion {

// Figure 5: "Entropy of softmax_theta(a) for 10 elements of a power series a_i = lambda^i". The
// terms of the series are the logits. The paper does not say whether i begins at 0 or at 1.
struct PowerSeries {
  int first_exponent = 1;  // 0^0 = 1
  int terms = 10;
};

// The entropy in nats. Throws std::invalid_argument when theta is infinite or below kSmallestTheta,
// and when a term is not finite.
double power_series_entropy(double lambda, double theta, PowerSeries series);
inline constexpr double kSmallestTheta = 1e-300;

// A range of equally spaced values, including both ends. grid_values() throws std::invalid_argument
// unless points >= 2 and low < high.
struct GridRange {
  double low = 0;
  double high = 1;
  int points = 2;
};
std::vector<double> grid_values(GridRange range);

// The entropy over a rectangle of lambda and theta.
struct PowerSeriesSurface {
  std::vector<double> lambda;   // [columns]
  std::vector<double> theta;    // [rows]
  std::vector<double> entropy;  // nats, [rows, columns]
};

// The outer limits of the four regions of the figure, which the paper does not give. The regions
// meet at lambda = 1 and theta = 1.
struct RegionLimits {
  double lowest_lambda = 0;
  double highest_lambda = 2;
  double lowest_theta = 0.02;
  double highest_theta = 10;
  int points = 65;  // along each side of a region
};
// The regions in this order: lambda and theta below 1, lambda above, theta above, both above. After
// a stop, those that were finished.
std::vector<PowerSeriesSurface> power_series_regions(const RegionLimits& limits, PowerSeries series,
                                                     const Progress& progress = {});

// The logits of one head on the first evaluation sets of one size. They are kept, so that another
// grid of theta needs no forward pass.
struct SizeLogits {
  int items = 0;
  int sets = 0;
  std::vector<float> logits;  // [sets, items]
};
// After a stop, the logits have the sets that were finished. Throws std::invalid_argument without
// sets or items.
SizeLogits size_logits(Backend& backend, const Parameters<float>& head, std::uint32_t seed,
                       int items, int sets, const Progress& keep_going = {});

// For every theta the entropy of softmax(e / theta) in nats, as the mean over the sets.
std::vector<double> mean_entropies(const SizeLogits& logits, std::span<const double> theta);

// Mean entropies of the attention of a head over theta and n.
struct HeadSurface {
  std::vector<int> sizes;       // [columns]
  std::vector<double> theta;    // [rows]
  std::vector<double> entropy;  // nats, [rows, columns]; NaN where it is not computed yet
  int sets = 0;
};
HeadSurface empty_head_surface(std::span<const int> sizes, std::span<const double> theta, int sets);

// Computed size by size; after a stop, the sizes that are not finished are NaN.
HeadSurface head_entropy_surface(Backend& backend, const Parameters<float>& head,
                                 std::uint32_t seed, std::span<const int> sizes,
                                 std::span<const double> theta, int sets,
                                 const Progress& keep_going = {});

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/progress.h"

namespace dispersion {

// Figure 5: "Entropy of softmax_theta(a) for 10 elements of a power series a_i = lambda^i", so the
// terms are the logits. The paper does not say whether i begins at 0 or at 1.
struct PowerSeries {
  int first_exponent = 1;  // 0^0 = 1
  int terms = 10;
};

// Nats. theta in [kSmallestTheta, infinity); throws std::invalid_argument otherwise, or when a term
// is not finite.
double power_series_entropy(double lambda, double theta, PowerSeries series);
inline constexpr double kSmallestTheta = 1e-300;

// Equally spaced, both ends among them. points >= 2, low < high; throws std::invalid_argument.
struct GridRange {
  double low = 0;
  double high = 1;
  int points = 2;
};
std::vector<double> grid_values(GridRange range);

// A part of the plane of lambda and theta.
struct PowerSeriesSurface {
  std::vector<double> lambda;   // [columns]
  std::vector<double> theta;    // [rows]
  std::vector<double> entropy;  // nats, [rows, columns]
};

// The four regions of the figure, split at lambda = 1 and theta = 1, whose outer limits the paper
// does not give: lambda and theta below 1, lambda above, theta above, both above. Those finished
// where `keep_going` says no.
struct RegionLimits {
  double lowest_lambda = 0;
  double highest_lambda = 2;
  double lowest_theta = 0.02;
  double highest_theta = 10;
  int points = 65;  // along each side of a region
};
std::vector<PowerSeriesSurface> power_series_regions(const RegionLimits& limits, PowerSeries series,
                                                     const Progress& keep_going = {});

// The logits of one head on the first evaluation sets of one size, kept so that a new grid of theta
// needs no forward pass. `keep_going` is asked after every part of the sets; on false the sets so
// far are returned.
struct SizeLogits {
  int items = 0;
  int sets = 0;
  std::vector<float> logits;  // [sets, items]
};
SizeLogits size_logits(Backend& backend, const Parameters<float>& head, std::uint32_t seed,
                       int items, int sets, const Progress& keep_going = {});

// Entropy of softmax(e / theta), mean over the sets, for every theta, nats.
std::vector<double> mean_entropies(const SizeLogits& logits, std::span<const double> theta);

// The same for a head over theta and n.
struct HeadSurface {
  std::vector<int> sizes;       // [columns]
  std::vector<double> theta;    // [rows]
  std::vector<double> entropy;  // nats, [rows, columns]; NaN where nothing is known yet
  int sets = 0;
};
HeadSurface empty_head_surface(std::span<const int> sizes, std::span<const double> theta, int sets);

// Size by size; `keep_going` is asked after every part of the sets with the share done in [0, 1]
// and with the surface so far, which is returned on false.
HeadSurface head_entropy_surface(Backend& backend, const Parameters<float>& head,
                                 std::uint32_t seed, std::span<const int> sizes,
                                 std::span<const double> theta, int sets,
                                 const std::function<bool(double, const HeadSurface&)>& keep_going);

}  // namespace dispersion

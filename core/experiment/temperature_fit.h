#pragma once

#include <cstdint>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"
#include "core/experiment/temperature_search.h"
#include "core/statistics/answer.h"
#include "core/statistics/intervals_and_tests.h"
#include "core/statistics/polynomial_fit.h"

namespace dispersion {

// The paper's fit of 1/theta as a polynomial of entropy (section 4, figure 6, appendix "Derivation
// of the Adaptive Temperature Scheme"), on one head. The same number of sets is drawn at every
// size; a set whose maximum already holds the largest logit would want theta = 0, and is dropped.
// The run is plain data that grows batch by batch, and depends neither on where it was stopped nor
// on threads.

struct FitSettings {
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 512;  // generated at every size
  std::uint32_t seed = 1;   // of the sets, which are of a purpose of their own
  ThetaGrid grid = {};
};

// One set that was kept.
struct FitSample {
  int items = 0;
  double entropy = 0;  // H of softmax(e), theta = 1, nats
  ThetaSearch search;
};

struct FitRun {
  FitSettings settings;
  std::vector<std::int64_t> generated;  // [sizes]
  std::vector<std::int64_t> dropped;    // [sizes]
  std::vector<FitSample> samples;       // in the order in which they were drawn
};

// Throws std::invalid_argument without sizes or sets and for a grid that is empty or reaches 0.
FitRun start_fit(FitSettings settings);

// One batch; false when nothing is left to do.
bool advance_fit(FitRun& run, const Parameters<float>& head, Backend& backend);

// Of all items to generate, in [0, 1].
double share_done(const FitRun& run);

inline constexpr int kRuleDegree = 4;

// What the samples say. Optima at the ends of the grid and above 1 are kept.
struct TemperatureFit {
  int items = 0;  // 0: all sizes together
  std::int64_t generated = 0;
  std::int64_t dropped = 0;
  std::int64_t samples = 0;
  std::int64_t at_grid_ends = 0;
  std::int64_t above_one = 0;      // theta_opt > 1: sharper is worse
  Answer<Interval> entropy_range;  // of the samples, nats
  Answer<PolynomialFit> fit;       // of 1/theta_opt against H
};

// All sizes pooled, and every size on its own; of a run at any stage.
TemperatureFit pooled_fit(const FitRun& run);
std::vector<TemperatureFit> fits_by_size(const FitRun& run);

// The fit put to use: its coefficients with the paper's gate. Throws std::invalid_argument unless
// the fit is of degree 4.
AdaptiveRule rule_from(const PolynomialFit& fit);

}  // namespace dispersion

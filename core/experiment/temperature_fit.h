#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"
#include "core/progress.h"
#include "core/statistics/answer.h"
#include "core/statistics/intervals_and_tests.h"
#include "core/statistics/polynomial_fit.h"

namespace dispersion {

// theta = index / per_unit for first <= index <= last: the paper's 0 ... 10 in steps of 0.1
// (appendix F), without 0, where softmax is not
// defined, and where in the limit an item without the largest logit would get no weight.
struct ThetaGrid {
  std::int64_t first = 1;
  std::int64_t last = 100;
  double per_unit = 10;

  double theta(std::int64_t index) const { return static_cast<double>(index) / per_unit; }
};

struct ThetaSearch {
  std::int64_t index = 0;      // of the grid
  double theta = 0;            // theta_opt
  double log_probability = 0;  // of the target at theta_opt, nats
  double margin = 0;  // by which it exceeds the second best of the grid; infinite for a single one
};

// log softmax(e / theta)[target], in double.
double log_probability(std::span<const double> logits, std::size_t target, double theta);

// The theta of the grid that gives the target the highest probability, the smaller one among
// equals. The probability is the attention weight of the item with the largest priority, and not
// that of its class: "the value that would place the highest probability possible on the item we
// are looking for -- in this case, the item with the maximal value" (the same appendix). log p is
// concave in 1 / theta, so that it has a single maximum, which bisection finds. With many logits it
// asks on the way whether to go on, and throws Stopped.
ThetaSearch search_theta(std::span<const double> logits, std::size_t target, const ThetaGrid& grid,
                         const Progress& keep_going = {});

// The paper's fit of 1/theta as a polynomial of entropy (section 3, figure 6, appendix F), on
// one head. The same number of sets is drawn at every
// size. A set in which the item with the largest priority has the largest logit is dropped, since
// theta = 0 would be best for it. A run is plain data that grows batch by batch. The result depends
// neither on the number of threads nor on where a run was stopped and went on later.

struct FitSettings {
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 512;  // generated at every size
  std::uint32_t seed = 1;   // of the sets, which are neither training nor evaluation sets
  ThetaGrid grid = {};
};

// A set that was not dropped.
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

// Draws and searches one batch; returns false when nothing is left to do, and after a stop in the
// middle.
bool advance_fit(FitRun& run, const Parameters<float>& head, Backend& backend,
                 const Progress& keep_going = {});

// The share of all items that has been generated, in [0, 1].
double share_done(const FitRun& run);

inline constexpr int kRuleDegree = 4;

// The fit to the samples, which include optima above 1 and at the ends of the grid.
struct TemperatureFit {
  int items = 0;  // 0: all sizes together
  std::int64_t generated = 0;
  std::int64_t dropped = 0;
  std::int64_t samples = 0;
  std::int64_t at_grid_ends = 0;
  std::int64_t above_one = 0;      // samples with theta_opt > 1, for which sharper is worse
  Answer<Interval> entropy_range;  // of the samples, nats
  Answer<PolynomialFit> fit;       // of 1/theta_opt against H
};

// The points that a polynomial is fitted to: of one size, or of all for 0.
struct FitPoints {
  std::vector<double> entropy;
  std::vector<double> inverse_theta;
};
FitPoints fit_points(const FitRun& run, int items);

// One fit over all sizes, and one per size, of a run at any stage.
TemperatureFit pooled_fit(const FitRun& run);
std::vector<TemperatureFit> fits_by_size(const FitRun& run);

// The adaptive rule with the coefficients of the fit and the gate of the paper. Throws
// std::invalid_argument unless the fit has degree 4.
AdaptiveRule rule_from(const PolynomialFit& fit);

}  // namespace dispersion

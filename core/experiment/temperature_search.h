#pragma once

#include <cstdint>
#include <span>

namespace dispersion {

// theta = index / per_unit for first <= index <= last: the paper's 0 ... 10 in steps of 0.1
// (appendix "Derivation of the Adaptive Temperature Scheme"), without 0, where softmax is not
// defined and where a target that lacks the largest logit would get nothing.
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
  double margin = 0;           // by which that is above the next best grid point; infinite for one
};

// log softmax(e / theta)[target], in double.
double log_probability(std::span<const double> logits, std::size_t target, double theta);

// The theta of the grid that gives the target the highest probability, the smaller one among
// equals. The "probability" is the attention weight on the item with the largest priority: "the
// value that would place the highest probability possible on the item we are looking for -- in this
// case, the item with the maximal value" (the same appendix), not that of its class. log p is
// concave in 1 / theta, so it has one hill and halving finds its top.
ThetaSearch search_theta(std::span<const double> logits, std::size_t target, const ThetaGrid& grid);

}  // namespace dispersion

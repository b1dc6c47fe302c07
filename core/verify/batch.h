#pragma once

#include <vector>

#include "core/head/backward.h"
#include "core/head/recipe.h"

namespace dispersion {

// One batch through the head in one precision, and the gradient of its total loss.
template <class Scalar>
struct BatchRun {
  Activations<Scalar> activations;
  std::vector<double> cross_entropy_each;  // [sets]
  double cross_entropy = 0;                // mean
  double l2 = 0;
  Parameters<Scalar> gradient;  // of cross_entropy + l2

  double loss() const { return cross_entropy + l2; }
};

template <class Scalar>
BatchRun<Scalar> run_batch(const Parameters<Scalar>& head, const ItemSets& sets,
                           const AttentionTransform& transform, BetaGradient beta_gradient,
                           const Recipe& recipe);

}  // namespace dispersion

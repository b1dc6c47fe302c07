#pragma once

#include <cstdint>
#include <vector>

#include "core/head/backward.h"
#include "core/head/parameters.h"
#include "core/head/recipe.h"
#include "core/task/item_sets.h"

namespace dispersion {

// The forward and backward pass of a head on one batch, in one precision.
template <class Scalar>
struct BatchRun {
  Activations<Scalar> activations;
  std::vector<double> cross_entropy_each;  // [sets]
  double cross_entropy = 0;                // mean over the sets
  double l2 = 0;
  Parameters<Scalar> gradient;  // of cross_entropy + l2

  double loss() const { return cross_entropy + l2; }
};

template <class Scalar>
BatchRun<Scalar> run_batch(const Parameters<Scalar>& head, const ItemSets& sets,
                           const AttentionTransform& transform, BetaGradient beta_gradient,
                           const Recipe& recipe);

// The results of a head on evaluation sets of one size, computed in one precision and stored as
// double. The names are those of tests/golden/README.md.
struct Evaluation {
  std::vector<double> logits;                                       // [sets, items]
  std::vector<double> attention;                                    // [sets, items]
  std::vector<double> attention_adaptive;                           // [sets, items]
  std::vector<double> logit_max, logit_min, delta, logit_gap;       // [sets]
  std::vector<double> entropy, entropy_published, beta;             // [sets]
  std::vector<double> attention_on_max, adaptive_attention_on_max;  // [sets]
  std::vector<std::int32_t> argmax_rho, argmax_logit;               // [sets]
  std::vector<double> class_logits, adaptive_class_logits;          // [sets, classes]
  std::vector<std::int32_t> predicted, predicted_adaptive;          // [sets]
  std::vector<double> predicted_margin, predicted_adaptive_margin;  // [sets]
};

template <class Scalar>
Evaluation evaluate_sets(const Parameters<Scalar>& head, const ItemSets& sets);

// -sum p log(p + 1e-9), as the paper's listing computes it.
double published_entropy(const std::vector<double>& weights);

}  // namespace dispersion

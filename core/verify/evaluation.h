#pragma once

#include <string>
#include <vector>

#include "core/head/parameters.h"
#include "core/task/item_sets.h"

namespace dispersion {

// What evaluation sets of one size give in one precision; everything in double, whatever it was
// computed in. Names are those of the folder's README.
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

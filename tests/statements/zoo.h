#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "tests/pairwise.h"

namespace dispersion {

// Heads of every kind that a user can open: what the lab says of them has to be true for each.
struct ZooHead {
  std::string name;
  Parameters<float> parameters;
};
const std::vector<ZooHead>& zoo();
const ZooHead& zoo_head(const std::string& name);

// A head as an experiment takes it, with a run of this seed.
ExperimentHead experiment_head(const ZooHead& head, std::uint32_t seed = 1);

// The result of an experiment with these settings ("theta" = "0.15") on one head, and beside these
// histories where it takes any.
using SettingTexts = std::vector<std::pair<std::string, std::string>>;
ExperimentResult run_on(const std::string& experiment, const ZooHead& head,
                        const SettingTexts& settings, const std::vector<History>& histories = {});

// The numbers of a list such as "16,64", as settings have it.
std::vector<int> numbers(const std::string& text);

// The logits of a head on the first evaluation sets, recomputed in double from the head's own
// definition: [sets, items].
struct ReferenceSets {
  int sets = 0;
  int items = 0;
  std::vector<double> logits;    // [sets, items], scaled by 1 / sqrt(width)
  std::vector<double> priority;  // [sets, items]
  std::vector<int> label;        // [sets]
  double rounding = 0;           // logit_rounding(), or 0 for logits of the CPU
  const double* row(int set) const { return logits.data() + static_cast<std::size_t>(set) * items; }
};
ReferenceSets reference_sets(const Parameters<float>& head, std::uint32_t seed, int items,
                             int sets);

// The same sets with the logits that the CPU computes in float. What is said of weights is held
// against these, so that it is tested at any theta, which multiplies the rounding of logits.
ReferenceSets cpu_sets(const Parameters<float>& head, std::uint32_t seed, int items, int sets);

// How far logits in float may be from these in double: seven products follow one another (two
// layers for an item; two, Q and K for the query; their inner product), each a sum of 128 terms
// whose roundings add up like sqrt(128) independent ones. The largest logit of all sets stands for
// the size of the terms, which may cancel in the logits of one set.
double logit_rounding(std::span<const double> logits);

// The weights of softmax(logits / theta) of `items` logits, in long double.
std::vector<double> reference_weights(const double* logits, int items, double theta);
double reference_entropy(const std::vector<double>& weights);  // nats

}  // namespace dispersion

#pragma once

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

// The result of an experiment with these settings ("theta" = "0.15") on one head.
using SettingTexts = std::vector<std::pair<std::string, std::string>>;
ExperimentResult run_on(const std::string& experiment, const ZooHead& head,
                        const SettingTexts& settings);

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
  const double* row(int set) const { return logits.data() + static_cast<std::size_t>(set) * items; }
};
ReferenceSets reference_sets(const Parameters<float>& head, std::uint32_t seed, int items,
                             int sets);

// The weights of softmax(logits / theta) of `items` logits, in long double.
std::vector<double> reference_weights(const double* logits, int items, double theta);
double reference_entropy(const std::vector<double>& weights);  // nats

}  // namespace dispersion

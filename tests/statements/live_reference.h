#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/attention/attention_transform.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {

// What is true of a head on the sets of one size under one transform, in double, and how far the
// lab's floats may be from it.
struct TransformTruth {
  std::vector<std::vector<double>> weights;  // [sets][items]
  std::vector<std::vector<double>> slack;    // of the weights
  std::vector<Truth> entropy;                // [sets]
  std::vector<Truth> temperature;            // theta / beta, [sets]
  std::vector<Truth> beta;                   // [sets]
  std::vector<int> right;                    // 1, 0, or -1 where rounding decides, [sets]

  Truth weight(int set, int item) const;
};

// A number of sets: those that are surely counted, and those of which rounding decides.
struct Count {
  int sure = 0;
  int open = 0;
  void add(bool yes, bool decided);
  Truth truth() const { return {sure + 0.5 * open, 0.5 * open}; }
};

class LiveReference {
 public:
  LiveReference(const Parameters<float>& head, int items, int sets);

  int items() const { return sets_.items; }
  int sets() const { return sets_.sets; }
  const double* row(int set) const { return sets_.row(set); }
  double priority(int set, int item) const;
  int item_class(int set, int item) const;
  int maximum(int set) const { return maximum_[static_cast<std::size_t>(set)]; }
  // How far a logit of the set in float may be from that in double.
  double rounding(int set) const { return rounding_[static_cast<std::size_t>(set)]; }
  double spread(int set) const;
  // The item that is shown in a column of a frame with min(16, n) columns.
  int shown(int set, int column) const;

  TransformTruth under(const AttentionTransform& transform) const;

  // Counts the sets of which `kind` says how far they are on the side of yes (or of no, below 0),
  // in units in which rounding is 1.
  Count count(const std::function<double(int set)>& kind) const;

 private:
  Parameters<double> head_;
  ItemSets drawn_;
  ReferenceSets sets_;
  std::vector<int> maximum_;
  std::vector<double> rounding_;
};

// beta of the paper's polynomial with these settings.
double reference_beta(const AdaptiveRule& rule, double entropy);

// The mean of truths.
Truth mean(std::span<const Truth> all);

}  // namespace dispersion

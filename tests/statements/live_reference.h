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

// What softmax(beta e / theta) is, if each e / theta is off by up to `off`: the logarithm of a
// weight w is then off by beta times twice that, and by the roundings of float and the relative
// error of beta, both times its distance |log w| + H from the mean logarithm.
struct SoftmaxTruth {
  std::vector<double> weights;
  std::vector<double> slack;
  Truth entropy;
};
SoftmaxTruth softmax_truth(std::span<const double> e, double theta, const Truth& beta, double off);

// A number of sets: those that are surely counted, and those of which rounding decides.
struct Count {
  int sure = 0;
  int open = 0;
  void add(bool yes, bool decided);
  Truth truth() const { return {sure + 0.5 * open, 0.5 * open}; }
};

// Which logits are taken: those of the CPU in float, which frames are made of, so that only the
// arithmetic after them is off; or those of the definition in double, for evaluations, whose own
// logits nobody sees. Where theta multiplies their rounding to more than the whole range of a
// quantity, nothing is tested of it there.
enum class LogitsOf { kFrames, kDefinition };

class LiveReference {
 public:
  LiveReference(const Parameters<float>& head, int items, int sets, LogitsOf logits);

  int items() const { return sets_.items; }
  int sets() const { return sets_.sets; }
  const double* row(int set) const { return sets_.row(set); }
  double priority(int set, int item) const;
  int item_class(int set, int item) const;
  int maximum(int set) const { return maximum_[static_cast<std::size_t>(set)]; }
  // The largest |logit| of a set.
  double largest(int set) const { return largest_[static_cast<std::size_t>(set)]; }
  // How far the lab's logits of the set, and differences of them in float, may be from these.
  double rounding(int set) const;
  double spread(int set) const;
  // The item that is shown in a column of a frame with min(16, n) columns.
  int shown(int set, int column) const;

  TransformTruth under(const AttentionTransform& transform) const;

  // Counts the sets of which `kind` says how far they are on the side of yes (or of no, below 0),
  // in units in which rounding is 1.
  Count count(const std::function<double(int set)>& kind) const;

 private:
  TransformTruth weights_under(const AttentionTransform& transform) const;

  Parameters<double> head_;
  ItemSets drawn_;
  ReferenceSets sets_;
  std::vector<int> maximum_;
  std::vector<double> largest_;
};

// beta of the paper's polynomial with these settings.
double reference_beta(const AdaptiveRule& rule, double entropy);

// The mean of truths.
Truth mean(std::span<const Truth> all);

}  // namespace dispersion

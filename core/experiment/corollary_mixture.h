#pragma once

#include <span>
#include <vector>

#include "core/experiment/corollary.h"
#include "core/head/activations.h"
#include "core/head/parameters.h"

namespace dispersion {

// What a head answers to a set {a, b, ..., b}, as a function of the weight of a. Attention pools
// weight h_a + (1 - weight) h_b, so that the inputs of the readout's GELU are linear in the weight.
class CorollaryMixture {
 public:
  CorollaryMixture(const Parameters<float>& head, const CorollaryPair& pair);

  // The attention logits of a and b.
  double logit_a() const { return activations_.attention_logits.data()[0]; }
  double logit_b() const { return activations_.attention_logits.data()[1]; }

  int predicted(double weight);
  double probability(double weight, int wanted);  // of a class

  // Whether the answer is proved to be this class for every weight from `low` to `high`: its class
  // logit leads in the middle by more than the slopes of GELU let others catch up, and by more
  // than rounding makes. False says nothing.
  bool surely(int answer, double low, double high) const;

 private:
  std::span<const double> class_logits(double weight);

  Parameters<double> head_;
  Activations<double> activations_;  // of one set {a, b}
  // Inputs of the readout's GELU when b alone is pooled, and what a in its place adds: [width].
  std::vector<double> hidden_of_b_;
  std::vector<double> hidden_change_;
};

}  // namespace dispersion

#pragma once

#include <array>

#include "core/host_device.h"

namespace dispersion {

// The paper's adaptive temperature (figure 4): beta = 1/theta as a polynomial of the entropy H of
// the plain weights, in nats. We follow the JAX listing, max(poly, 1), and not the appendix's
// min(1/poly, 1), which turns negative for H > 6.269.
struct AdaptiveRule {
  // Highest power first (figure 6).
  std::array<double, 5> coefficients = {-0.037, 0.481, -2.3, 4.917, -1.791};
  double gate = 0.5;  // no correction for H <= gate
  // Guarded: for H > peak, beta stays at its value there instead of falling and switching off. Made
  // by guarded_rule (rule_shape.h), which finds the peak, or the end of what the rule is fitted to.
  bool guarded = false;
  double peak = 0;  // entropy, nats; used when guarded

  bool operator==(const AdaptiveRule&) const = default;
};

// Horner.
DISPERSION_HOST_DEVICE inline double polynomial(const AdaptiveRule& rule, double entropy) {
  double value = 0;
  for (int i = 0; i < 5; ++i)
    value = value * entropy + rule.coefficients[i];
  return value;
}

// beta(H) >= 1; 1 means no correction.
DISPERSION_HOST_DEVICE inline double adaptive_beta(const AdaptiveRule& rule, double entropy) {
  if (!(entropy > rule.gate)) return 1;
  const bool held = rule.guarded && entropy > rule.peak;
  const double value = polynomial(rule, held ? rule.peak : entropy);
  return value > 1 ? value : 1;
}

// d beta / dH; 0 where the rule is clamped or held.
DISPERSION_HOST_DEVICE inline double adaptive_beta_slope(const AdaptiveRule& rule, double entropy) {
  if (!(entropy > rule.gate) || !(polynomial(rule, entropy) > 1)) return 0;
  if (rule.guarded && entropy > rule.peak) return 0;
  double slope = 0;
  for (int i = 0; i < 4; ++i)
    slope = slope * entropy + (4 - i) * rule.coefficients[i];
  return slope;
}

}  // namespace dispersion

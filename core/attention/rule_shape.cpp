#include "core/attention/rule_shape.h"

#include <algorithm>

#include "core/math/polynomial.h"

namespace dispersion {

std::vector<RuleWindow> rule_windows(const AdaptiveRule& rule, double lowest, double highest) {
  const double first = std::max(rule.gate, lowest);
  if (!(first < highest)) return {};
  std::array<double, 5> above_one = rule.coefficients;
  above_one.back() -= 1;
  const double last = rule.guarded && rule.peak < highest ? rule.peak : highest;
  std::vector<double> edges = sign_changes(above_one, first, last);
  edges.push_back(highest);  // beyond the peak of a guarded rule nothing changes
  std::vector<RuleWindow> windows;
  double left = first;
  for (const double right : edges) {
    if (adaptive_beta(rule, (left + right) / 2) > 1) windows.push_back({left, right});
    left = right;
  }
  return windows;
}

std::optional<double> rule_peak(const AdaptiveRule& rule, double lowest, double highest) {
  const std::vector<double> slope = derivative_of(rule.coefficients);
  const std::vector<double> curvature = derivative_of(slope);
  std::optional<double> peak;
  for (const double place : sign_changes(slope, std::max(rule.gate, lowest), highest)) {
    if (!(polynomial_value(curvature, place) < 0)) continue;
    if (!peak || polynomial(rule, place) > polynomial(rule, *peak)) peak = place;
  }
  return peak;
}

AdaptiveRule guarded_rule(AdaptiveRule rule, double lowest, double highest) {
  rule.guarded = true;
  rule.peak = rule_peak(rule, lowest, highest).value_or(highest);
  return rule;
}

}  // namespace dispersion

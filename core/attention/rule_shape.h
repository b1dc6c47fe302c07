#pragma once

#include <optional>
#include <vector>

#include "core/attention/adaptive_rule.h"

namespace dispersion {

// No row has more entropy: log 2^32, nats.
inline constexpr double kMostEntropy = 22.18;

// A range of entropy in which a rule sharpens: beta(H) > 1.
struct RuleWindow {
  double low = 0;
  double high = 0;  // the highest entropy looked at where the rule does not switch off before
};

// Both of these look at the entropies from `lowest` to `highest` only: what is fitted to samples is
// not known beyond them.

// Ascending; the paper's rule has one, 0.8486 < H < 5.9445.
std::vector<RuleWindow> rule_windows(const AdaptiveRule& rule, double lowest = 0,
                                     double highest = kMostEntropy);

// The entropy above the gate at which the polynomial has its highest local maximum, from where it
// falls; nothing when it has none. 4.412 for the paper's rule.
std::optional<double> rule_peak(const AdaptiveRule& rule, double lowest = 0,
                                double highest = kMostEntropy);

// The rule that holds beta for larger H: from its peak on or, where it has none, from `highest` on.
AdaptiveRule guarded_rule(AdaptiveRule rule, double lowest = 0, double highest = kMostEntropy);

}  // namespace dispersion

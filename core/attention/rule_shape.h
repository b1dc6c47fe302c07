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
  double high = 0;  // kMostEntropy where the rule never switches off
};

// Ascending; the paper's rule has one, 0.8486 < H < 5.9445.
std::vector<RuleWindow> rule_windows(const AdaptiveRule& rule);

// The entropy above the gate at which the polynomial has its highest local maximum, from where it
// falls; nothing when it has none. 4.412 for the paper's rule.
std::optional<double> rule_peak(const AdaptiveRule& rule);

// The rule that holds beta at its peak for larger H. A rule without a peak is guarded as it stands.
AdaptiveRule guarded_rule(AdaptiveRule rule);

}  // namespace dispersion

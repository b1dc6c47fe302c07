#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/experiment/dispersion.h"
#include "core/figure/named_value.h"

namespace dispersion {

// What the window says under "Why": the numbers behind the heat maps of one n, and an explanation.
// Everything is counted over the sets that the heat maps show.

// A distribution with at least this share of the largest entropy, log n, is nearly uniform.
inline constexpr double kNearlyUniform = 0.99;

// How many of the sets of a frame of plain softmax are of which kind. Logits that differ by no more
// than rounding count as equal.
struct SetCounts {
  int sets = 0;
  int equal = 0;      // all logits are equal
  int uniform = 0;    // attention is nearly uniform, though not all logits are equal
  int sharp = 0;      // more than half of the weight lies on the maximum
  int maximum = 0;    // the largest logit is the maximum's, and no other item's
  int tied = 0;       // the maximum shares the largest logit, though not all logits are equal
  int elsewhere = 0;  // the largest logit is another item's
};
SetCounts count_sets(const FrameLogits& logits, const AttentionFrame& plain);

// How often an adaptive rule leaves the sets of a frame of plain softmax as they are.
struct RuleCounts {
  int off = 0;     // beta(H) is 1
  int beyond = 0;  // of these: H is at or beyond `end`
  // Of the last range of entropy in which the rule sharpens; none: it never sharpens, or sharpens
  // up to the largest entropy.
  std::optional<double> end;
};
RuleCounts count_rule(const AttentionFrame& plain, const AdaptiveRule& rule);

// The bound that no weight of the frame exceeds: the largest of its sets' sharp bounds of lemma
// 2.1, each from the set's own spread and temperature. None for transforms that are no softmax.
std::optional<double> largest_possible_weight(const AttentionFrame& frame);

// Spread of the logits, bounds on the weights of each of the frames, and the gap between the two
// largest priorities. `frames`: of the same sets, plain softmax first.
std::vector<NamedValue> why_values(std::span<const AttentionFrame* const> frames);

// What the adaptive rule does to the sets of the plain frame.
std::vector<NamedValue> rule_values(const AttentionFrame& plain, const AdaptiveRule& rule);

// Why attention disperses here or does not, as far as the counts tell, in sentences that can stand
// alone. `rule`: of the adaptive transform that is shown too; null: there is none.
std::vector<Statement> why_sentences(const FrameLogits& logits, const AttentionFrame& plain,
                                     const AdaptiveRule* rule);

}  // namespace dispersion

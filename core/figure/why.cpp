#include "core/figure/why.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/rule_shape.h"
#include "core/attention/transforms.h"
#include "core/experiment/bounds.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Relative to the largest logit of a set: some 16 units in its last place.
constexpr float kRounding = 2e-6F;

// A weight of more than this on one item is most of the attention.
constexpr float kMost = 0.5F;

// The logits of one set of a frame.
struct SetLogits {
  float maximum = 0;       // of the item with the largest priority
  float largest_else = 0;  // of the others
  float smallest = 0;      // of all
  float rounding = 0;
};

SetLogits logits_of_set(const FrameLogits& frame, int set) {
  const auto items = static_cast<std::size_t>(frame.items);
  const auto row = std::span(frame.logits).subspan(static_cast<std::size_t>(set) * items, items);
  const auto maximum = static_cast<std::size_t>(
      frame.shown[static_cast<std::size_t>((set + 1) * frame.columns - 1)]);
  SetLogits logits = {.maximum = row[maximum], .largest_else = -INFINITY, .smallest = row[maximum]};
  float size = std::fabs(row[maximum]);
  for (std::size_t item = 0; item < items; ++item) {
    if (item != maximum) logits.largest_else = std::max(logits.largest_else, row[item]);
    logits.smallest = std::min(logits.smallest, row[item]);
    size = std::max(size, std::fabs(row[item]));
  }
  logits.rounding = kRounding * size;
  return logits;
}

// " in all 32 sets", " in 5 of 32 sets", " in none of 32 sets".
Statement in_sets(std::string_view what, const AttentionFrame& frame, int count, int sets) {
  const std::vector<double> at = {static_cast<double>(frame.items)};
  const Claim shown = count_claim("sets shown", sets, at);
  const Statement of = " of " + Statement::number(shown) + " sets";
  if (count == 0) {
    return Statement::fact(" in none",
                           {{.what = what, .at = at, .relation = Relation::kHolds, .value = 0}}) +
           of;
  }
  if (count == sets) {
    return " in all " + Statement::fact(shown.shown, {count_claim(what, count, at), shown}) +
           " sets";
  }
  return " in " + count_of(what, count, at) + of;
}

Statement on_entropy(const AttentionFrame& frame) {
  const double n = frame.items;
  const double entropy = frame.mean_entropy;
  const double equal = std::exp(entropy);
  if (equal < 1.5) return "";
  return "The mean entropy, " +
         Statement::number({.what = "mean entropy",
                            .of = "softmax",
                            .at = {n},
                            .value = entropy,
                            .shown = fixed_text(entropy, 2)}) +
         " nats, is that of " +
         Statement::number({.what = "equal weights of the mean entropy",
                            .at = {n},
                            .value = equal,
                            .shown = significant_text(equal, equal < 10 ? 2 : 3)}) +
         " equal weights.";
}

// Where the largest logits lie, and what that means for the weights.
void add_on_logits(const SetCounts& counts, const AttentionFrame& frame,
                   std::vector<Statement>& all) {
  if (counts.elsewhere > 0) {
    all.push_back(
        "The largest logit is another item's" +
        in_sets("sets with the largest logit elsewhere", frame, counts.elsewhere, counts.sets) +
        ": no temperature puts most of the weight on the maximum there.");
  }
  if (counts.tied > 0) {
    all.push_back("The maximum shares the largest logit, to rounding, with another item" +
                  in_sets("sets with a tied largest logit", frame, counts.tied, counts.sets) + ".");
  }
  if (counts.maximum == counts.sets) {
    all.push_back(
        "The largest logit is the maximum's" +
        in_sets("sets with the largest logit on the maximum", frame, counts.maximum, counts.sets) +
        ".");
  }
  const bool gap_counts = counts.maximum > counts.sharp + counts.tied;
  if (gap_counts && counts.uniform + counts.equal == 0)
    all.emplace_back("A logit does not depend on n, while the expected top gap shrinks with it.");
}

Statement on_rule(const AttentionFrame& plain, const AdaptiveRule& rule) {
  const RuleCounts counts = count_rule(plain, rule);
  if (counts.off == 0) return "";
  const int sets = static_cast<int>(plain.entropy.size());
  Statement text = "β is 1, so that adaptive θ changes nothing," +
                   in_sets("sets where beta is 1", plain, counts.off, sets);
  if (counts.end && counts.beyond == counts.off) {
    // Rounded down, so that every H at or beyond the end is above it.
    text += Statement::fact(": there H is beyond ", "the rule has ended in all of these sets",
                            {static_cast<double>(plain.items)}) +
            Statement::number({.what = "end of the rule",
                               .relation = Relation::kAtLeast,
                               .value = *counts.end,
                               .shown = at_least_text(*counts.end, 2)}) +
            ", where the rule ends";
  }
  return text + ".";
}

NamedValue bound_value(const AttentionFrame& frame, double bound) {
  const TransformDefinition& definition = transform_definition(frame.transform.id);
  const bool plain = frame.transform.id == TransformId::kSoftmax;
  return {
      plain ? "bound on a weight" : "bound, " + std::string(definition.label),
      Statement::number({.what = "bound on the weights",
                         .of = std::string(definition.name),
                         .at = {static_cast<double>(frame.items)},
                         .relation = Relation::kAtMost,
                         .value = bound,
                         .shown = weight_at_most_text(bound)}),
      computed_number(bound),
      "No weight of these sets exceeds the largest of their bounds 1 / (1 + (n − 1) exp(−δ/θ)), "
      "the sharp form of lemma 2.1, with the spread δ and the temperature θ of each set. It "
      "tends to 0 as n grows while δ/θ stays bounded."};
}

}  // namespace

SetCounts count_sets(const FrameLogits& logits, const AttentionFrame& plain) {
  SetCounts counts = {.sets = static_cast<int>(plain.entropy.size())};
  const double uniform = kNearlyUniform * std::log(static_cast<double>(plain.items));
  for (int set = 0; set < counts.sets; ++set) {
    const SetLogits e = logits_of_set(logits, set);
    const float largest = std::max(e.maximum, e.largest_else);
    const bool equal = largest - e.smallest <= e.rounding;
    const bool one_item = plain.items == 1;
    counts.equal += equal && !one_item;
    counts.uniform += !equal && plain.entropy[static_cast<std::size_t>(set)] >= uniform;
    counts.sharp += plain.weights[static_cast<std::size_t>((set + 1) * plain.columns - 1)] > kMost;
    const bool apart = std::fabs(e.maximum - e.largest_else) > e.rounding;
    counts.maximum += apart && e.maximum > e.largest_else;
    counts.elsewhere += apart && e.maximum < e.largest_else;
    counts.tied += !apart && !equal;
  }
  return counts;
}

RuleCounts count_rule(const AttentionFrame& plain, const AdaptiveRule& rule) {
  RuleCounts counts;
  const std::vector<RuleWindow> windows = rule_windows(rule);
  if (!windows.empty() && windows.back().high < kMostEntropy) counts.end = windows.back().high;
  for (const float entropy : plain.entropy) {
    if (adaptive_beta(rule, entropy) > 1) continue;
    ++counts.off;
    counts.beyond += counts.end && entropy >= *counts.end;
  }
  return counts;
}

std::optional<double> largest_possible_weight(const AttentionFrame& frame) {
  if (transform_definition(frame.transform.id).beta == nullptr) return std::nullopt;
  double bound = 0;
  for (std::size_t set = 0; set < frame.logit_spread.size(); ++set) {
    const double d = static_cast<double>(frame.logit_spread[set]) / frame.theta[set];
    if (!(d >= 0)) return std::nullopt;  // no spread at a temperature of 0
    bound = std::max(bound, weight_bounds(d, frame.items).sharp_upper);
  }
  return bound;
}

std::vector<NamedValue> why_values(std::span<const AttentionFrame* const> frames) {
  const AttentionFrame& plain = *frames.front();
  const double n = plain.items;
  const double spread = std::ranges::max(plain.logit_spread);
  std::vector<NamedValue> values = {
      {"largest logit spread δ",
       Statement::number({.what = "largest logit spread",
                          .at = {n},
                          .value = spread,
                          .shown = significant_text(spread, 3)}),
       computed_number(spread),
       "Largest minus smallest logit of a set, scaled by 1/√width and before the temperature, in "
       "that of the 32 sets shown where it is largest. It bounds every weight (lemma 2.1)."}};
  for (const AttentionFrame* frame : frames) {
    const auto bound = largest_possible_weight(*frame);
    if (bound) values.push_back(bound_value(*frame, *bound));
  }
  if (plain.items < 2) return values;
  const double gap = 1 / (n + 1);
  values.push_back({"expected top gap",
                    Statement::number({.what = "expected gap of the two largest priorities",
                                       .at = {n},
                                       .value = gap,
                                       .shown = fixed_text(gap, n < 100 ? 4 : 6)}),
                    computed_number(gap),
                    "1/(n + 1): the mean distance between the two largest of n uniform "
                    "priorities."});
  return values;
}

std::vector<NamedValue> rule_values(const AttentionFrame& plain, const AdaptiveRule& rule) {
  const double n = plain.items;
  const double beta = adaptive_beta(rule, plain.mean_entropy);
  const int off = count_rule(plain, rule).off;
  return {{"β(H) at mean H",
           Statement::number({.what = "beta at the mean entropy",
                              .at = {n},
                              .value = beta,
                              .shown = fixed_text(beta, 2)}),
           computed_number(beta),
           "By how much the adaptive rule multiplies the logits at the mean entropy (figure 6)."},
          {"sets where β is 1",
           count_of("sets where beta is 1", off, {n}) + " of " +
               count_of("sets shown", std::ssize(plain.entropy), {n}),
           std::to_string(off),
           "Sets whose weights the rule leaves as they are. The paper's rule does so up to about "
           "H = 0.85 and from about H = 5.94 on."}};
}

std::vector<Statement> why_sentences(const FrameLogits& logits, const AttentionFrame& plain,
                                     const AdaptiveRule* rule) {
  if (plain.items == 1)
    return {"The only item of a set gets all of the attention, whatever its logit."};
  const SetCounts counts = count_sets(logits, plain);
  std::vector<Statement> all;
  if (counts.equal > 0) {
    all.push_back("All logits are equal" +
                  in_sets("sets with equal logits", plain, counts.equal, counts.sets) +
                  ": there every item gets 1/n.");
  }
  if (counts.uniform > 0) {
    all.push_back(
        "Attention is nearly uniform" +
        in_sets("sets with nearly uniform attention", plain, counts.uniform, counts.sets) +
        ": there H is at least 99 % of log n.");
  }
  if (counts.equal + counts.uniform < counts.sets) {
    all.push_back(
        "More than half of the weight lies on the maximum" +
        in_sets("sets with most weight on the maximum", plain, counts.sharp, counts.sets) + ".");
    all.push_back(on_entropy(plain));
  }
  if (counts.equal < counts.sets) add_on_logits(counts, plain, all);
  if (rule != nullptr) all.push_back(on_rule(plain, *rule));
  std::erase_if(all, [](const Statement& sentence) { return sentence.empty(); });
  return all;
}

}  // namespace dispersion

#include "tests/statements/live_claims.h"

#include <algorithm>
#include <cmath>

#include "core/attention/transforms.h"

namespace dispersion {
namespace {

constexpr double kMostNats = 22.18;
// What is kept as a float, of numbers up to some tens.
constexpr double kStored = 1e-6;

// From which entropy on beta is 1; 0: there is no such end.
double end_of(const AdaptiveRule& rule) {
  if (reference_beta(rule, kMostNats) > 1) return 0;
  double high = kMostNats;
  double low = high;
  while (low > 0 && !(reference_beta(rule, low) > 1))
    low -= 1e-3;
  if (low <= 0) return 0;
  high = low + 1e-3;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (reference_beta(rule, middle) > 1 ? low : high) = middle;
  }
  return high;
}

Truth percent(const Count& count, int sets) {
  return {100 * (count.sure + 0.5 * count.open) / sets, 50.0 * count.open / sets};
}

double wilson(double right, double sets, double side) {
  const double z = 1.959963984540054;
  const double p = right / sets;
  const double centre = (p + z * z / (2 * sets)) / (1 + z * z / sets);
  const double half =
      z / (1 + z * z / sets) * std::sqrt(p * (1 - p) / sets + z * z / (4 * sets * sets));
  return centre + side * half;
}

Truth wilson_end(const Count& count, int sets, double side) {
  const double few = 100 * wilson(count.sure, sets, side);
  const double many = 100 * wilson(count.sure + count.open, sets, side);
  return {(few + many) / 2, std::abs(many - few) / 2 + 1e-9};
}

// A count, or whether it is 0 where the words say so.
Truth counted(const Claim& claim, const Count& count) {
  const Truth truth = count.truth();
  if (claim.relation == Relation::kHolds) return {count.sure == 0 ? 1.0 : 0.0, 0};
  return truth;
}

double holds(bool so) {
  return so ? 1 : 0;
}

}  // namespace

Claims live_claims(Shown& shown) {
  const auto softmax = [&shown](const Claim& claim) -> const TransformTruth& {
    return shown.under(claim.at.front(), TransformId::kSoftmax);
  };
  // The largest logit of a set's other items below that of its maximum, in units of rounding.
  const auto lead = [&shown](double items, int set) {
    const LiveReference& at = shown.at(items);
    double other = -INFINITY;
    for (int item = 0; item < at.items(); ++item) {
      if (item != at.maximum(set)) other = std::max(other, at.row(set)[item]);
    }
    return at.row(set)[at.maximum(set)] - other;
  };
  // The logits of a set that count as equal differ by up to 2e-6 of the largest.
  const auto equal = [](double difference, const LiveReference& at, int set) {
    return (2e-6 * at.largest(set) - difference) / (4 * at.rounding(set) + 1e-300);
  };
  const auto rule = [&shown]() {
    const auto found =
        std::ranges::find(shown.transforms, TransformId::kAdaptive, &AttentionTransform::id);
    return found->rule;
  };
  const auto cell = [&shown](const Claim& claim) {
    return shown.at(claim.at[0]).shown(int(claim.at[1]), int(claim.at[2]));
  };
  const auto beta_off = [&shown](double items, int set) {
    const Truth& beta = shown.under(items, TransformId::kAdaptive).beta[size_t(set)];
    if (beta.value > 1 && beta.value - beta.tolerance > 1) return -2.0;
    return beta.tolerance == 0 ? 2.0 : 0.0;
  };
  return Claims({
      {"mean weight on the maximum",
       [&](const Claim& claim) {
         const TransformTruth& truth = shown.under(claim);
         std::vector<Truth> all;
         const LiveReference& at = shown.at(claim.at[0]);
         for (int set = 0; set < at.sets(); ++set)
           all.push_back(truth.weight(set, at.maximum(set)));
         return mean(all);
       }},
      {"mean entropy", [&](const Claim& claim) { return mean(shown.under(claim).entropy); }},
      {"mean temperature",
       [&](const Claim& claim) { return mean(shown.under(claim).temperature); }},
      {"equal weights of the mean entropy",
       [=](const Claim& claim) {
         const Truth entropy = mean(softmax(claim).entropy);
         const double weights = std::exp(entropy.value);
         return Truth{weights, weights * std::expm1(entropy.tolerance)};
       }},
      {"largest logit spread",
       [&](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         Truth truth;
         for (int set = 0; set < at.sets(); ++set) {
           truth.value = std::max(truth.value, at.spread(set));
           truth.tolerance = std::max(truth.tolerance, 2 * at.rounding(set));
         }
         return truth;
       }},
      {"mean logit spread",
       [&](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         std::vector<Truth> all;
         for (int set = 0; set < at.sets(); ++set)
           all.push_back({at.spread(set), 2 * at.rounding(set)});
         return mean(all);
       }},
      // What the bound is for: no weight of the sets exceeds it.
      {"bound on the weights",
       [&](const Claim& claim) {
         const TransformTruth& truth = shown.under(claim);
         Truth largest;
         for (const std::vector<double>& weights : truth.weights)
           largest.value = std::max(largest.value, std::ranges::max(weights));
         largest.tolerance = kStored;
         return largest;
       }},
      {"expected gap of the two largest priorities",
       [](const Claim& claim) {
         return Truth{1 / (claim.at[0] + 1), 0};
       }},
      {"sets with equal logits",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         return counted(claim, at.count([&](int set) { return equal(at.spread(set), at, set); }));
       }},
      {"sets with nearly uniform attention",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         const TransformTruth& truth = softmax(claim);
         return counted(claim, at.count([&](int set) {
           if (equal(at.spread(set), at, set) > 1) return -2.0;
           const Truth& entropy = truth.entropy[size_t(set)];
           return (entropy.value - 0.99 * std::log(claim.at[0])) / entropy.tolerance;
         }));
       }},
      {"sets with most weight on the maximum",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         const TransformTruth& truth = softmax(claim);
         return counted(claim, at.count([&](int set) {
           const Truth weight = truth.weight(set, at.maximum(set));
           return (weight.value - 0.5) / weight.tolerance;
         }));
       }},
      {"sets with the largest logit elsewhere",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         return counted(claim, at.count([&](int set) {
           const double behind = -lead(claim.at[0], set);
           return behind <= 0 ? -2.0 : -equal(behind, at, set);
         }));
       }},
      {"sets with the largest logit on the maximum",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         return counted(claim, at.count([&](int set) {
           const double ahead = lead(claim.at[0], set);
           return ahead <= 0 ? -2.0 : -equal(ahead, at, set);
         }));
       }},
      {"sets with a tied largest logit",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         return counted(claim, at.count([&](int set) {
           if (equal(at.spread(set), at, set) > 1) return -2.0;
           return equal(std::abs(lead(claim.at[0], set)), at, set);
         }));
       }},
      {"beta at the mean entropy",
       [=](const Claim& claim) {
         const Truth entropy = mean(softmax(claim).entropy);
         const double beta = reference_beta(rule(), entropy.value);
         double slack = 0;
         for (const double h :
              {entropy.value - entropy.tolerance, entropy.value + entropy.tolerance})
           slack = std::max(slack, std::abs(reference_beta(rule(), h) - beta));
         return Truth{beta, slack + kStored};
       }},
      {"sets where beta is 1",
       [=, &shown](const Claim& claim) {
         return counted(claim, shown.at(claim.at[0]).count([&](int set) {
           return beta_off(claim.at[0], set);
         }));
       }},
      {"end of the rule",
       [=](const Claim&) {
         return Truth{end_of(rule()), kStored};
       }},
      {"the rule has ended in all of these sets",
       [=](const Claim& claim) {
         const TransformTruth& truth = softmax(claim);
         bool all = end_of(rule()) > 0;
         for (std::size_t set = 0; set < truth.entropy.size(); ++set) {
           if (beta_off(claim.at[0], int(set)) < 1) continue;
           all = all && truth.entropy[set].value + truth.entropy[set].tolerance >= end_of(rule());
         }
         return Truth{holds(all), 0};
       }},
      {"priority of an item",
       [=, &shown](const Claim& claim) {
         return Truth{shown.at(claim.at[0]).priority(int(claim.at[1]), cell(claim)), 0};
       }},
      {"class of an item",
       [=, &shown](const Claim& claim) {
         return Truth{double(shown.at(claim.at[0]).item_class(int(claim.at[1]), cell(claim))), 0};
       }},
      {"logit of an item",
       [=, &shown](const Claim& claim) {
         const LiveReference& at = shown.at(claim.at[0]);
         const int set = int(claim.at[1]);
         return Truth{at.row(set)[cell(claim)], at.rounding(set)};
       }},
      {"weight of an item",
       [=, &shown](const Claim& claim) {
         return shown.under(claim).weight(int(claim.at[1]), cell(claim));
       }},
      {"entropy of a set",
       [&](const Claim& claim) { return shown.under(claim).entropy[size_t(claim.at[1])]; }},
      {"effective temperature of a set",
       [&](const Claim& claim) { return shown.under(claim).temperature[size_t(claim.at[1])]; }},
      {"accuracy (%)",
       [&](const Claim& claim) {
         return percent(shown.right(shown.under(claim)), shown.at(claim.at[0]).sets());
       }},
      {"low end of accuracy (%)",
       [&](const Claim& claim) {
         return wilson_end(shown.right(shown.under(claim)), shown.at(claim.at[0]).sets(), -1);
       }},
      {"high end of accuracy (%)",
       [&](const Claim& claim) {
         return wilson_end(shown.right(shown.under(claim)), shown.at(claim.at[0]).sets(), 1);
       }},
      {"accuracy above softmax (points)",
       [=, &shown](const Claim& claim) {
         const int sets = shown.at(claim.at[0]).sets();
         const Truth of = percent(shown.right(shown.under(claim)), sets);
         const Truth plain = percent(shown.right(softmax(claim)), sets);
         return Truth{of.value - plain.value, of.tolerance + plain.tolerance};
       }},
      {"largest logit on the maximum (%)",
       [=, &shown](const Claim& claim) {
         // The first of equal logits counts.
         const LiveReference& at = shown.at(claim.at[0]);
         Count count;
         for (int set = 0; set < at.sets(); ++set) {
           const double* e = at.row(set);
           const bool first = std::max_element(e, e + at.items()) - e == at.maximum(set);
           const bool decided = at.items() == 1 || at.rounding(set) == 0 ||
                                std::abs(lead(claim.at[0], set)) > 4 * at.rounding(set);
           count.add(first, decided);
         }
         return percent(count, at.sets());
       }},
      {"sets shown",
       [&](const Claim& claim) {
         return Truth{double(shown.at(claim.at[0]).sets()), 0};
       }},
      {"sets counted",
       [&](const Claim& claim) {
         return Truth{double(shown.at(claim.at[0]).sets()), 0};
       }},
      {"fewest sets of a size",
       [&](const Claim&) {
         double fewest = INFINITY;
         for (const auto& [items, at] : shown.sizes)
           fewest = std::min(fewest, double(at.sets()));
         return Truth{fewest, 0};
       }},
      {"most sets of a size",
       [&](const Claim&) {
         double most = 0;
         for (const auto& [items, at] : shown.sizes)
           most = std::max(most, double(at.sets()));
         return Truth{most, 0};
       }},
      {"sizes compared",
       [&](const Claim&) {
         return Truth{double(shown.sizes.size()), 0};
       }},
      {"sharp attention disperses",
       [&](const Claim&) {
         const double first = shown.sizes.begin()->first;
         const double last = shown.sizes.rbegin()->first;
         const Truth begin = shown.weight_on_max(first, TransformId::kSoftmax);
         const Truth end = shown.weight_on_max(last, TransformId::kSoftmax);
         const Truth h0 = shown.entropy(first, TransformId::kSoftmax);
         const Truth h1 = shown.entropy(last, TransformId::kSoftmax);
         return Truth{holds(first < last && begin.value + begin.tolerance > 0.5 &&
                            end.value - end.tolerance < (begin.value + begin.tolerance) / 2 &&
                            h1.value + h1.tolerance > h0.value - h0.tolerance),
                      0};
       }},
      {"sizes at which adaptive attention is sharper",
       [&](const Claim& claim) {
         Count count;
         for (const auto& [items, at] : shown.sizes) {
           const Truth plain = shown.entropy(items, TransformId::kSoftmax);
           const Truth adaptive = shown.entropy(items, TransformId::kAdaptive);
           const double fall = plain.value - adaptive.value - 0.005;
           count.add(fall > 0, std::abs(fall) > plain.tolerance + adaptive.tolerance);
         }
         if (claim.relation == Relation::kHolds)
           return Truth{holds(count.sure + count.open == int(shown.sizes.size())), 0};
         return count.truth();
       }},
      {"entropy grows with n",
       [&](const Claim& claim) {
         bool grows = shown.sizes.size() > 1;
         for (const double id : claim.at) {
           Truth before = {-1, 0};
           for (const auto& [items, at] : shown.sizes) {
             const Truth now = shown.entropy(items, static_cast<TransformId>(int(id)));
             grows = grows && now.value + now.tolerance > before.value - before.tolerance;
             before = now;
           }
         }
         return Truth{holds(grows), 0};
       }},
      {"accuracy falls with n",
       [&](const Claim& claim) {
         bool falls = true;
         for (const double id : claim.at) {
           const auto end = [&](const auto& size, double side) {
             const TransformTruth& truth =
                 shown.under(size.first, static_cast<TransformId>(int(id)));
             return wilson_end(shown.right(truth), size.second.sets(), side);
           };
           const Truth low = end(*shown.sizes.begin(), -1);
           const Truth high = end(*shown.sizes.rbegin(), 1);
           falls = falls && high.value - high.tolerance < low.value + low.tolerance;
         }
         return Truth{holds(falls), 0};
       }},
  });
}

}  // namespace dispersion

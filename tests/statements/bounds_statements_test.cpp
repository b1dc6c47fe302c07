#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/head/forward.h"
#include "tests/statements/claims.h"
#include "tests/statements/corollary_truth.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

constexpr Truth kYes = {1, 0};
constexpr Truth kNo = {0, 0};

Truth fact(bool holds) {
  return holds ? kYes : kNo;
}

// The logits of one large set, piece by piece: all its numbers at once would take gigabytes.
ReferenceSets large_set(const Parameters<float>& head, int items) {
  constexpr int kPiece = 1 << 14;
  ItemSets drawn;
  drawn.resize(1, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, drawn);
  const Parameters<double> in_double = convert_parameters<double>(head);
  Activations<double> activations;
  ReferenceSets result{1, items, {}, {}, {}};
  for (int first = 0; first < items; first += kPiece) {
    const ItemSetsView piece = {1,
                                std::min(kPiece, items - first),
                                drawn.priority.data() + first,
                                drawn.item_class.data() + first,
                                drawn.query.data(),
                                drawn.label.data()};
    forward(in_double, piece, AttentionTransform{}, activations);
    const double* logits = activations.attention_logits.data();
    result.logits.insert(result.logits.end(), logits, logits + piece.items);
  }
  return result;
}

// What is true of one head with these settings, from its logits in double.
class BoundsTruth {
 public:
  BoundsTruth(const Parameters<float>& head, double theta, std::vector<int> sizes, int sets,
              int slope_items)
      : theta_(theta), sizes_(std::move(sizes)), sets_(sets) {
    for (const int size : sizes_)
      logits_[size] =
          sets == 1 && size > 1 << 16 ? large_set(head, size) : reference_sets(head, 1, size, sets);
    logits_[slope_items] = reference_sets(head, 1, slope_items, sets);
    // Logits in float are off by some units of their size.
    for (const auto& [size, reference] : logits_) {
      for (const double logit : reference.logits)
        rounding_ = std::max(rounding_, 1e-5 * std::abs(logit));
    }
  }

  double spread(int items, int set) const {
    const ReferenceSets& reference = logits_.at(items);
    const auto [low, high] = std::minmax_element(reference.row(set), reference.row(set) + items);
    return *high - *low;
  }
  double largest_spread(int items) const {
    double largest = 0;
    for (int set = 0; set < sets_; ++set)
      largest = std::max(largest, spread(items, set));
    return largest;
  }
  double largest_spread() const {
    double largest = 0;
    for (const int size : sizes_)
      largest = std::max(largest, largest_spread(size));
    return largest;
  }
  std::vector<double> weights(int items, int set) const {
    return reference_weights(logits_.at(items).row(set), items, theta_);
  }
  Truth mean_largest_weight(int items) const {
    double mean = 0;
    for (int set = 0; set < sets_; ++set)
      mean += std::ranges::max(weights(items, set)) / sets_;
    return {mean, std::min(1.0, rounding_ / theta_)};
  }
  double log_lemma(int items) const { return largest_spread(items) / theta_ - std::log(items); }
  Truth sharp_upper(int items) const {
    const double bound = 1 / (1 + (items - 1) * std::exp(-largest_spread(items) / theta_));
    return {bound, std::min(1.0, rounding_ / theta_)};
  }
  bool within() const {
    for (const int size : sizes_) {
      for (int set = 0; set < sets_; ++set) {
        const double d = spread(size, set) / theta_;
        const auto all = weights(size, set);
        const auto [low, high] = std::ranges::minmax(all);
        if (high > std::exp(d) / size * (1 + 1e-9)) return false;
        if (high > 1 / (1 + (size - 1) * std::exp(-d)) * (1 + 1e-9)) return false;
        if (d < 600 && low < 1 / (1 + (size - 1) * std::exp(d)) * (1 - 1e-9)) return false;
        if (d < 600 && low < std::exp(-d) / size * (1 - 1e-9)) return false;
      }
    }
    return true;
  }

  // H of softmax(beta e), and -beta Var(e), means over the sets.
  std::pair<long double, long double> entropy_and_slope(int items, double beta) const {
    long double entropy = 0;
    long double slope = 0;
    for (int set = 0; set < sets_; ++set) {
      const double* e = logits_.at(items).row(set);
      const long double top = *std::max_element(e, e + items);
      long double sum = 0;
      long double first = 0;
      long double second = 0;
      for (int i = 0; i < items; ++i) {
        const long double x = e[i] - top;
        const long double power = std::exp(beta * x);
        sum += power;
        first += power * x;
        second += power * x * x;
      }
      entropy += (std::log(sum) - beta * first / sum) / sets_;
      slope -= beta * (second / sum - first / sum * first / sum) / sets_;
    }
    return {entropy, slope};
  }
  // The largest |-beta Var(e)|, and the largest error of differences with a step of 1e-4 beta.
  std::pair<double, double> slopes(int items) const {
    long double largest = 0;
    long double error = 0;
    for (int i = 0; i < 41; ++i) {
      const double beta = 0.05 * std::pow(100.0, i / 40.0);
      const double step = 1e-4 * beta;
      const long double slope = entropy_and_slope(items, beta).second;
      const long double difference = (entropy_and_slope(items, beta + step).first -
                                      entropy_and_slope(items, beta - step).first) /
                                     (2 * step);
      largest = std::max(largest, std::abs(slope));
      error = std::max(error, std::abs(slope - difference));
    }
    return {static_cast<double>(largest), static_cast<double>(error)};
  }

  double theta() const { return theta_; }
  double rounding() const { return rounding_; }
  const std::vector<int>& sizes() const { return sizes_; }
  int sets() const { return sets_; }

 private:
  double theta_;
  std::vector<int> sizes_;
  int sets_;
  std::map<int, ReferenceSets> logits_;
  double rounding_ = 0;
};

double epsilon_of(const std::string& format) {
  const std::map<std::string, double> all = {
      {"fp32", 0x1p-24}, {"bf16", 0x1p-8}, {"fp16", 0x1p-11}};
  return all.at(format);
}

// The logarithm of the first n with a weight below epsilon: n - 1 > (1 / epsilon - 1) e^d.
double log_below(const PairTruth& pair, double epsilon) {
  const double log_rest = std::log(1 / epsilon - 1) + pair.d;
  return log_rest > 30 ? log_rest : std::log(std::floor(std::exp(log_rest)) + 2);
}

// A number of items with what is left open by d, which is known to some digits only.
Truth count(double log_n, double rounding) {
  const double n = std::exp(log_n);
  return {n, n < 1e4 ? 1e-9 : n * std::min(1.0, rounding + 1e-6)};
}

std::string printed(double value) {
  return std::to_string(value);
}

TEST(BoundsStatements, AreTrueOfEveryHead) {
  const std::vector<double> thetas = {1, 0.15, 0.01, 10, 1000};
  const std::vector<std::vector<int>> sizes = {{16, 1024}, {1}, {2}, {1, 2, 16}, {300}};
  const std::vector<int> sets = {1, 8};
  const std::vector<int> slope_items = {1, 64};
  const std::vector<TestedPair> pairs = {
      {0.8, 0.2, 0, 1}, {0.1, 0.05, 0, 2}, {0.9, 0.89, 3, 7}, {1, 0, 9, 4}};
  const BoundsTruth* bounds = nullptr;
  PairTruth* pair = nullptr;
  const auto size_at = [](const Claim& claim) { return static_cast<int>(claim.at.at(0)); };
  const auto below_error = [&](double log_n) { return pair->first_error() > log_n; };
  Claims claims({
      {"mean largest weight",
       [&](const Claim& c) { return bounds->mean_largest_weight(size_at(c)); }},
      {"largest logit spread",
       [&](const Claim&) {
         return Truth{bounds->largest_spread(), bounds->rounding()};
       }},
      {"sets measured",
       [&](const Claim&) {
         return Truth{static_cast<double>(bounds->sizes().size()) * bounds->sets(), 0};
       }},
      {"all weights within their bounds", [&](const Claim&) { return fact(bounds->within()); }},
      {"sizes where the lemma excludes nothing",
       [&](const Claim&) {
         return fact(std::ranges::all_of(bounds->sizes(), [&](int size) {
           return bounds->log_lemma(size) >= -bounds->rounding() / bounds->theta() - 1e-12;
         }));
       }},
      {"sizes where the lemma excludes weights",
       [&](const Claim&) {
         return Truth{static_cast<double>(std::ranges::count_if(
                          bounds->sizes(), [&](int size) { return bounds->log_lemma(size) < 0; })),
                      0};
       }},
      {"sharp upper bound", [&](const Claim& c) { return bounds->sharp_upper(size_at(c)); }},
      {"largest |β Var(e)|",
       [&](const Claim& c) {
         const double largest = bounds->slopes(size_at(c)).first;
         EXPECT_LT(largest, 1e-6);  // it is said to be too little
         return Truth{largest, 1e-4 * largest + 1e-12};
       }},
      {"largest error of the slopes",
       [&](const Claim& c) {
         const auto found = bounds->slopes(size_at(c));
         EXPECT_GT(found.first, 1e-8);
         return Truth{found.second / found.first, 1e-9 + 0.05 * found.second / found.first};
       }},
      {"curve below 1e-40",
       [&](const Claim& c) {
         return fact(std::ranges::all_of(bounds->sizes(), [&](int size) {
           const double d = bounds->largest_spread(size) / bounds->theta();
           const bool smallest = c.of == "smallest weight";
           double low = 1;
           for (int set = 0; set < bounds->sets() && smallest; ++set)
             low = std::min(low, std::ranges::min(bounds->weights(size, set)));
           return (smallest ? std::log(low) : -d - std::log(std::max(1, size - 1))) < -91;
         }));
       }},
      {"curve above 1",
       [&](const Claim& c) {
         return fact(c.of == "upper bound of lemma 2.1" &&
                     std::ranges::all_of(bounds->sizes(), [&](int size) {
                       return bounds->log_lemma(size) > -bounds->rounding() / bounds->theta();
                     }));
       }},
      {"logit difference of a and b over theta",
       [&](const Claim&) {
         return Truth{pair->d, pair->rounding};
       }},
      {"class of {a}",
       [&](const Claim&) {
         return Truth{pair->answer(1) * 1.0, 0};
       }},
      {"class of {b, ..., b}",
       [&](const Claim&) {
         return Truth{pair->answer(0) * 1.0, 0};
       }},
      {"no error for any n", [&](const Claim&) { return fact(std::isinf(pair->first_error())); }},
      {"class of a for all mixtures",
       [&](const Claim&) { return fact(pair->all_mixtures_right()); }},
      {"first n with an error",
       [&](const Claim&) { return count(pair->first_error(), pair->rounding); }},
      {"log10 of the first n with an error",
       [&](const Claim&) {
         return Truth{pair->first_error() / std::log(10.0), pair->rounding + 1e-3};
       }},
      {"weight of a at the first error",
       [&](const Claim&) {
         return Truth{pair->weight(pair->first_error()), 1e-6};
       }},
      {"first n below the unit roundoff",
       [&](const Claim& c) { return count(log_below(*pair, epsilon_of(c.of)), pair->rounding); }},
      {"log10 of the first n below the unit roundoff",
       [&](const Claim& c) {
         return Truth{log_below(*pair, epsilon_of(c.of)) / std::log(10.0), pair->rounding};
       }},
      {"beyond 1e300",
       [&](const Claim& c) {
         const double log_300 = 300 * std::log(10.0);
         return fact(c.of == "first error" ? below_error(log_300 - 1e-6)
                                           : log_below(*pair, epsilon_of(c.of)) > log_300 - 1e-6);
       }},
  });
  const auto check = [&](const ZooHead& head, double theta, const std::vector<int>& of_sizes,
                         int of_sets, int of_slopes, const TestedPair& chosen) {
    std::string size_list;
    for (const int size : of_sizes)
      size_list.append(size_list.empty() ? "" : ",").append(std::to_string(size));
    SCOPED_TRACE(head.name + ", theta " + printed(theta) + ", sizes " + size_list + ", classes " +
                 std::to_string(chosen.class_a) + " and " + std::to_string(chosen.class_b));
    const BoundsTruth of_weights(head.parameters, theta, of_sizes, of_sets, of_slopes);
    PairTruth of_pair(head.parameters, chosen, theta);
    bounds = &of_weights;
    pair = &of_pair;
    claims.check(statements_of(run_on("bounds", head,
                                      {{"theta", printed(theta)},
                                       {"sizes", size_list},
                                       {"sets", std::to_string(of_sets)},
                                       {"slope-items", std::to_string(of_slopes)},
                                       {"rho-a", printed(chosen.priority_a)},
                                       {"rho-b", printed(chosen.priority_b)},
                                       {"class-a", std::to_string(chosen.class_a)},
                                       {"class-b", std::to_string(chosen.class_b)}})));
  };
  for (const auto& row :
       pairwise({static_cast<int>(zoo().size()), 5, 5, 2, 2, static_cast<int>(pairs.size())})) {
    const auto at = [&](std::size_t column) { return static_cast<std::size_t>(row[column]); };
    check(zoo()[at(0)], thetas[at(1)], sizes[at(2)], sets[at(3)], slope_items[at(4)], pairs[at(5)]);
  }
  check(zoo_head("shipped"), 1, {16, 1 << 20}, 1, 1, pairs[0]);
  // A head that answers one class whatever it sees never errs on that class.
  for (const char* name : {"mute", "untrained", "one step"}) {
    const ZooHead& head = zoo_head(name);
    const int usual = PairTruth(head.parameters, {0.8, 0.2, 0, 1}, 1).answer(1);
    check(head, 0.15, {16}, 1, 1, {0.8, 0.2, usual, (usual + 1) % 10});
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

}  // namespace
}  // namespace dispersion

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "tests/statements/cells.h"
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

// Two ways of the same sums of up to 2^20 numbers in double agree to this, relative.
constexpr double kDouble = 1e-11;

// Of -beta Var(e) at 41 betas: the largest size, the largest error of differences with a step of
// 1e-4 beta, and what a rounding of H in double makes of a difference at most.
struct Slopes {
  double largest = 0;
  double error = 0;
  double rounding = 0;
};

// What is true of one head with these settings, from the logits that the CPU computes.
class BoundsTruth {
 public:
  BoundsTruth(const Parameters<float>& head, double theta, std::vector<int> sizes, int sets,
              int slope_items)
      : theta_(theta), sizes_(std::move(sizes)), sets_(sets) {
    for (const int size : sizes_)
      logits_[size] = cpu_sets(head, 1, size, sets);
    logits_[slope_items] = cpu_sets(head, 1, slope_items, sets);
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
    return {mean, kDouble};
  }
  double d(int items) const { return largest_spread(items) / theta_; }
  // The logarithms of exp(d)/n, 1/(1+(n-1)exp(d)) and exp(-d)/n.
  double log_lemma(int items) const { return d(items) - std::log(items); }
  double log_sharp_lower(int items) const {
    return -d(items) - std::log(std::exp(-d(items)) + items - 1);
  }
  double log_lower(int items) const { return -d(items) - std::log(items); }
  // The logarithms of the smallest and the largest weight of a set.
  std::pair<double, double> log_ends(int items, int set) const {
    const double* e = logits_.at(items).row(set);
    const double top = *std::max_element(e, e + items);
    long double sum = 0;
    for (int i = 0; i < items; ++i)
      sum += std::exp(static_cast<long double>((e[i] - top) / theta_));
    const auto log_sum = static_cast<double>(std::log(sum));
    return {-spread(items, set) / theta_ - log_sum, -log_sum};
  }
  // Of all sets of a size.
  double log_smallest(int items) const {
    double smallest = 0;
    for (int set = 0; set < sets_; ++set)
      smallest = std::min(smallest, log_ends(items, set).first);
    return smallest;
  }
  Truth largest_weight(int items) const {
    double largest = 0;
    for (int set = 0; set < sets_; ++set)
      largest = std::max(largest, std::ranges::max(weights(items, set)));
    return about(largest);
  }
  static Truth about(double value) { return {value, kDouble * value}; }
  Truth sharp_upper(int items) const { return about(1 / (1 + (items - 1) * std::exp(-d(items)))); }
  bool within() const {
    for (const int size : sizes_) {
      for (int set = 0; set < sets_; ++set) {
        const double d = spread(size, set) / theta_;
        const auto [low, high] = log_ends(size, set);
        const double room = kDouble * (1 + d);
        const double log_n = std::log(size);
        const double others = size - 1;
        if (high > std::min(d - log_n, -std::log1p(others * std::exp(-d))) + room) return false;
        if (low < std::max(-d - log_n, -d - std::log(std::exp(-d) + others)) - room) return false;
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
  Slopes slopes(int items) const {
    Slopes slopes;
    for (int i = 0; i < 41; ++i) {
      const double beta = 0.05 * std::pow(100.0, i / 40.0);
      const double step = 1e-4 * beta;
      const auto [entropy, slope] = entropy_and_slope(items, beta);
      const long double difference = (entropy_and_slope(items, beta + step).first -
                                      entropy_and_slope(items, beta - step).first) /
                                     (2 * step);
      slopes.largest = std::max(slopes.largest, static_cast<double>(std::abs(slope)));
      slopes.error = std::max(slopes.error, static_cast<double>(std::abs(slope - difference)));
      slopes.rounding =
          std::max(slopes.rounding, 0x1p-52 * std::max(1.0, static_cast<double>(entropy)) / step);
    }
    return slopes;
  }

  double theta() const { return theta_; }
  const std::vector<int>& sizes() const { return sizes_; }
  int sets() const { return sets_; }

 private:
  double theta_;
  std::vector<int> sizes_;
  int sets_;
  std::map<int, ReferenceSets> logits_;
};

double epsilon_of(const std::string& format) {
  const std::map<std::string, double> all = {
      {"fp32", 0x1p-24}, {"bf16", 0x1p-8}, {"fp16", 0x1p-11}};
  return all.at(format);
}

// The logarithm of the first n with a weight below epsilon: n - 1 > (1 / epsilon - 1) e^d.
double log_below(const PairTruth& pair, double epsilon) {
  const double log_rest = std::log(1 / epsilon - 1) + pair.d;
  // Without the logarithm, which would make 254.99... of 255.
  return log_rest > 30 ? log_rest : std::log(std::floor((1 / epsilon - 1) * std::exp(pair.d)) + 2);
}

// The search of the lab ends at a millionth of log n where it does not count.
constexpr double kSearched = 1e-6;

// A number of items with what is left open by d, which is known to some digits only, and by the
// search. Small numbers are whole, and nothing is left open.
Truth count(double log_n, double rounding) {
  const double n = std::exp(log_n);
  return {n, n < 1e4 ? 1e-9 : n * std::min(1.0, rounding + kSearched)};
}

Log10 log10_of(double log, double rounding) {
  return {log / std::log(10.0), rounding / std::log(10.0) + kDouble * (1 + std::abs(log))};
}

// A weight or a bound by its logarithm, where doubles may end.
Truth weight_of(double log) {
  const double weight = std::exp(log);
  return {weight, weight * kDouble * (1 + std::abs(log))};
}

TrueColumns weight_columns(const BoundsTruth& bounds) {
  std::vector<int> sizes = bounds.sizes();
  std::ranges::sort(sizes);
  const auto of = [sizes, &bounds](auto truth) {
    return [sizes, &bounds, truth](std::size_t row) -> TrueCellValue {
      return truth(bounds, sizes[row]);
    };
  };
  using B = BoundsTruth;
  return {{"n", of([](const B&, int n) {
             return Truth{static_cast<double>(n), 0};
           })},
          {"logit spread", of([](const B& b, int n) { return B::about(b.largest_spread(n)); })},
          {"lower", of([](const B& b, int n) { return weight_of(b.log_lower(n)); })},
          {"sharp lower", of([](const B& b, int n) { return weight_of(b.log_sharp_lower(n)); })},
          {"smallest", of([](const B& b, int n) { return weight_of(b.log_smallest(n)); })},
          {"largest", of([](const B& b, int n) { return b.largest_weight(n); })},
          {"sharp upper", of([](const B& b, int n) { return b.sharp_upper(n); })},
          {"upper", of([](const B& b, int n) { return weight_of(b.log_lemma(n)); })}};
}

// Of the command's table and the figure's, which name their columns differently.
TrueColumns limit_columns(const PairTruth& pair) {
  static const std::vector<std::string> formats = {"fp32", "bf16", "fp16"};
  const auto epsilon = [](std::size_t row) -> TrueCellValue {
    return Truth{epsilon_of(formats[row]), 0};
  };
  const auto first = [&pair](std::size_t row) -> TrueCellValue {
    return log10_of(log_below(pair, epsilon_of(formats[row])), pair.rounding);
  };
  const auto of_proof = [&pair](std::size_t row) -> TrueCellValue {
    return log10_of(std::abs(pair.d) - std::log(epsilon_of(formats[row])), pair.rounding);
  };
  return {{"format", [](std::size_t row) -> TrueCellValue { return formats[row]; }},
          {"epsilon", epsilon},
          {"ε", epsilon},
          {"first n", first},
          {"exp(|d|)/epsilon", of_proof},
          {"exp(|d|)/ε", of_proof}};
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
       [&](const Claim&) { return BoundsTruth::about(bounds->largest_spread()); }},
      {"sets measured",
       [&](const Claim&) {
         return Truth{static_cast<double>(bounds->sizes().size()) * bounds->sets(), 0};
       }},
      {"all weights within their bounds", [&](const Claim&) { return fact(bounds->within()); }},
      {"sizes where the lemma excludes nothing",
       [&](const Claim&) {
         return fact(std::ranges::all_of(
             bounds->sizes(), [&](int size) { return bounds->log_lemma(size) >= -kDouble; }));
       }},
      {"sizes where the lemma excludes weights",
       [&](const Claim&) {
         return Truth{static_cast<double>(std::ranges::count_if(
                          bounds->sizes(), [&](int size) { return bounds->log_lemma(size) < 0; })),
                      0};
       }},
      {"sharp upper bound", [&](const Claim& c) { return bounds->sharp_upper(size_at(c)); }},
      {"sizes measured",
       [&](const Claim&) {
         return Truth{static_cast<double>(bounds->sizes().size()), 0};
       }},
      {"largest |β Var(e)|",
       [&](const Claim& c) { return BoundsTruth::about(bounds->slopes(size_at(c)).largest); }},
      {"slopes within a hundred roundings of their differences",
       [&](const Claim& c) {
         const Slopes slopes = bounds->slopes(size_at(c));
         return fact(slopes.largest <= 100 * slopes.rounding * (1 + kDouble));
       }},
      {"largest error of the slopes",
       [&](const Claim& c) {
         const Slopes slopes = bounds->slopes(size_at(c));
         EXPECT_GT(slopes.largest, 100 * slopes.rounding * (1 - kDouble));
         // The differences here are of long double; those of the lab have the rounding of H in
         // double, twice.
         const double error = slopes.error / slopes.largest;
         return Truth{error, 2 * slopes.rounding / slopes.largest + kDouble};
       }},
      {"curve below 1e-40",
       [&](const Claim& c) {
         return fact(std::ranges::all_of(bounds->sizes(), [&](int size) {
           const double log = c.of == "smallest weight"     ? bounds->log_smallest(size)
                              : c.of == "sharp lower bound" ? bounds->log_sharp_lower(size)
                                                            : bounds->log_lower(size);
           return log < -40 * std::log(10.0) + kDouble;
         }));
       }},
      {"curve above 1",
       [&](const Claim& c) {
         return fact(c.of == "upper bound of lemma 2.1" &&
                     std::ranges::all_of(bounds->sizes(), [&](int size) {
                       return bounds->log_lemma(size) > -kDouble;
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
         return Truth{pair->first_error() / std::log(10.0), pair->rounding + kSearched};
       }},
      {"weight of a at the first error",
       [&](const Claim&) {
         // A weight changes by what log n and d do.
         const double weight = pair->weight(pair->first_error());
         return Truth{weight, weight * std::min(1.0, 2 * (pair->rounding + kSearched))};
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
    const ExperimentResult result = run_on("bounds", head,
                                           {{"theta", printed(theta)},
                                            {"sizes", size_list},
                                            {"sets", std::to_string(of_sets)},
                                            {"slope-items", std::to_string(of_slopes)},
                                            {"rho-a", printed(chosen.priority_a)},
                                            {"rho-b", printed(chosen.priority_b)},
                                            {"class-a", std::to_string(chosen.class_a)},
                                            {"class-b", std::to_string(chosen.class_b)}});
    claims.check(statements_of(result));
    check_cells(result.tables.at(0), weight_columns(of_weights));
    check_cells(result.tables.at(2), limit_columns(of_pair));
    check_cells(result.figure.tables.at(0), limit_columns(of_pair));
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

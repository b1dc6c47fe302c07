// What the fit of the adaptive temperature says, of its samples, its polynomial and its resamples.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/task/draws.h"
#include "core/task/item_sets.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

constexpr double kGate = 0.5;
constexpr int kResampled = 1000;

Truth holds(bool fact) {
  return {fact ? 1.0 : 0.0, 0};
}

// A polynomial of degree 4 in u = (h - middle) / half, lowest power first.
struct Curve {
  double middle = 0;
  double half = 1;
  std::array<double, 5> power = {};

  double at(double h) const {
    const double u = (h - middle) / half;
    return power[0] + u * (power[1] + u * (power[2] + u * (power[3] + u * power[4])));
  }
  double slope(double h) const {
    const double u = (h - middle) / half;
    return power[1] + u * (2 * power[2] + u * (3 * power[3] + u * 4 * power[4]));
  }
};

// Its highest local maximum between the gate and `high`, by its slope on a fine grid.
std::optional<double> peak_of(const Curve& curve, double low, double high) {
  constexpr int kSteps = 2000;
  const double begin = std::max(low, kGate);
  std::optional<double> best;
  for (int i = 0; i < kSteps && begin < high; ++i) {
    double left = begin + (high - begin) * i / kSteps;
    double right = begin + (high - begin) * (i + 1) / kSteps;
    if (!(curve.slope(left) > 0) || curve.slope(right) > 0) continue;
    for (int half = 0; half < 60; ++half) {
      const double middle = (left + right) / 2;
      (curve.slope(middle) > 0 ? left : right) = middle;
    }
    if (!best || curve.at(right) > curve.at(*best)) best = right;
  }
  return best;
}

struct Sample {
  int items = 0;
  double entropy = 0;
  double theta = 0;
};

// Weighted least squares by Gauss with pivoting; nothing where it is singular.
std::optional<Curve> least_squares(const std::vector<Sample>& samples,
                                   const std::vector<int>& weights, double low, double high) {
  if (!(low < high)) return std::nullopt;
  Curve curve{.middle = (low + high) / 2, .half = (high - low) / 2};
  std::array<std::array<long double, 6>, 5> m = {};
  std::set<double> distinct;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (weights[i] == 0) continue;
    distinct.insert(samples[i].entropy);
    const long double u = (samples[i].entropy - curve.middle) / curve.half;
    std::array<long double, 9> powers = {1};
    for (std::size_t k = 1; k < 9; ++k)
      powers[k] = powers[k - 1] * u;
    for (std::size_t r = 0; r < 5; ++r) {
      for (std::size_t c = 0; c < 5; ++c)
        m[r][c] += weights[i] * powers[r + c];
      m[r][5] += weights[i] * powers[r] / samples[i].theta;
    }
  }
  if (distinct.size() < 5) return std::nullopt;
  for (std::size_t k = 0; k < 5; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < 5; ++r) {
      if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
    }
    std::swap(m[k], m[pivot]);
    if (m[k][k] == 0) return std::nullopt;
    for (std::size_t r = 0; r < 5; ++r) {
      if (r == k) continue;
      const long double factor = m[r][k] / m[k][k];
      for (std::size_t c = k; c < 6; ++c)
        m[r][c] -= factor * m[k][c];
    }
  }
  for (std::size_t k = 0; k < 5; ++k)
    curve.power[k] = static_cast<double>(m[k][5] / m[k][k]);
  return curve;
}

// One run: its samples, which are held against the sets of the head, and all that follows of them.
class Refit {
 public:
  Refit(const ZooHead& head, const std::vector<int>& sizes, int sets, std::uint32_t seed,
      const ExperimentResult& result)
      : sizes_(sizes), sets_(sets), seed_(seed), kept_(sizes.size()) {
    const ResultTable& table = result.tables.at(0);
    for (const std::vector<ResultValue>& row : table.rows) {
      samples_.push_back({static_cast<int>(std::get<std::int64_t>(row[0])),
                          std::get<double>(row[1]), std::get<double>(row[2])});
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      next = check_samples(head, i, next);
    EXPECT_EQ(next, samples_.size());
    for (const Sample& sample : samples_) {
      low_ = std::min(low_, sample.entropy);
      high_ = std::max(high_, sample.entropy);
    }
    curve_ = least_squares(samples_, std::vector<int>(samples_.size(), 1), low_, high_);
    if (curve_) resample();
  }

  double count(auto condition) const {
    return static_cast<double>(std::ranges::count_if(samples_, condition));
  }
  double samples(int items) const {
    return count([&](const Sample& s) { return items == 0 || s.items == items; });
  }
  double drawn() const { return static_cast<double>(sizes_.size()) * sets_; }
  double sizes() const { return static_cast<double>(sizes_.size()); }
  std::set<double> distinct(int items) const {
    std::set<double> all;
    for (const Sample& s : samples_) {
      if (items == 0 || s.items == items) all.insert(s.entropy);
    }
    return all;
  }
  // Within a twentieth of one another, or but for fewer than five clusters the same.
  bool too_close(int items) const {
    const std::set<double> all = distinct(items);
    int clusters = 0;
    double last = -1;
    for (const double entropy : all) {
      if (entropy - last > 1e-6) ++clusters;
      last = entropy;
    }
    return *all.rbegin() - *all.begin() < 0.05 * *all.rbegin() || clusters < 5;
  }
  double residual() const {
    double squares = 0;
    for (const Sample& s : samples_)
      squares += std::pow(curve_->at(s.entropy) - 1 / s.theta, 2);
    return std::sqrt(squares / static_cast<double>(samples_.size()));
  }
  // The extremes on a fine grid, the ends among them.
  std::pair<double, double> range() const {
    std::pair<double, double> ends = {INFINITY, -INFINITY};
    for (int i = 0; i <= 100'000; ++i) {
      const double value = curve_->at(low_ + (high_ - low_) * i / 100'000);
      ends = {std::min(ends.first, value), std::max(ends.second, value)};
    }
    return ends;
  }
  std::optional<double> peak() const { return peak_of(*curve_, low_, high_); }
  const Curve& curve() const { return *curve_; }
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<double>& peaks() const { return peaks_; }

 private:
  // Draws the sets of a size again: which are dropped, and whether theta is the best of the grid.
  std::size_t check_samples(const ZooHead& head, std::size_t size, std::size_t next) {
    const int items = sizes_[size];
    ItemSets sets;
    sets.resize(sets_, items);
    draw_item_sets(seed_, RandomPurpose::kTemperatureFit, static_cast<std::uint32_t>(items), 0,
                   sets);
    std::vector<float> logits;
    make_cpu_backend(1)->attention_logits(head.parameters, sets.view(), logits);
    for (int set = 0; set < sets_; ++set) {
      const auto begin = static_cast<std::ptrdiff_t>(set) * items;
      const std::vector<double> row(logits.begin() + begin, logits.begin() + begin + items);
      const auto priorities = sets.priority.begin() + begin;
      const auto target = static_cast<std::size_t>(
          std::max_element(priorities, priorities + items) - priorities);
      if (row[target] == *std::ranges::max_element(row)) continue;
      ++kept_[size];
      if (next == samples_.size()) {
        ADD_FAILURE() << "a set that was not dropped is no sample";
        return next;
      }
      const Sample& sample = samples_[next++];
      EXPECT_EQ(sample.items, items);
      EXPECT_NEAR(sample.entropy, reference_entropy(reference_weights(row.data(), items, 1)), 1e-9);
      double best = -INFINITY;
      double chosen = 0;
      for (int step = 1; step <= 100; ++step) {
        const double weight = log_weight(row, target, step / 10.0);
        if (std::abs(step / 10.0 - sample.theta) < 1e-9) chosen = weight;
        best = std::max(best, weight);
      }
      EXPECT_NEAR(chosen, best, 1e-9 * (1 + std::abs(best)));
    }
    return next;
  }

  static double log_weight(const std::vector<double>& row, std::size_t target, double theta) {
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (const double e : row)
      sum += std::exp((e - most) / theta);
    return (row[target] - most) / theta - std::log(sum);
  }

  void resample() {
    std::vector<int> taken(samples_.size());
    for (std::uint32_t r = 0; r < kResampled; ++r) {
      std::ranges::fill(taken, 0);
      std::size_t first = 0;
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        for (std::uint32_t draw = 0; draw < static_cast<std::uint32_t>(sets_); ++draw) {
          const PhiloxBlock block = draw_block(seed_, RandomPurpose::kResampling,
                                               {.step = static_cast<std::uint32_t>(i),
                                                .set = r,
                                                .index = draw / 4,
                                                .draw = Draw::kChosen});
          const std::uint32_t set =
              uniform_below(block.word[draw % 4], static_cast<std::uint32_t>(sets_));
          if (set < kept_[i]) ++taken[first + set];
        }
        first += kept_[i];
      }
      const std::optional<Curve> fitted = least_squares(samples_, taken, low_, high_);
      if (!fitted) continue;
      if (const std::optional<double> peak = peak_of(*fitted, low_, high_)) peaks_.push_back(*peak);
    }
    std::ranges::sort(peaks_);
  }

  std::vector<int> sizes_;
  int sets_;
  std::uint32_t seed_;
  std::vector<std::size_t> kept_;  // [sizes]
  std::vector<Sample> samples_;
  double low_ = INFINITY;
  double high_ = -INFINITY;
  std::optional<Curve> curve_;
  std::vector<double> peaks_;  // of the resamples, ascending
};

// The published polynomial.
double papers(double h) {
  return -1.791 + h * (4.917 + h * (-2.3 + h * (0.481 - 0.037 * h)));
}

double papers_peak() {
  double best = 1;
  for (double h = 1; h < 6; h += 1e-5) {
    if (papers(h) > papers(best)) best = h;
  }
  return best;
}

// The curves of two computations agree to this, of values of any size.
double near(double value) {
  return 1e-5 * (1 + std::abs(value));
}

Claims claims_of(const Refit*& run) {
  const auto items = [](const Claim& claim) { return static_cast<int>(claim.at[0]); };
  return Claims({
      {"samples", [&](const Claim&) { return Truth{run->samples(0), 0}; }},
      {"sets drawn", [&](const Claim&) { return Truth{run->drawn(), 0}; }},
      {"sets dropped", [&](const Claim&) { return Truth{run->drawn() - run->samples(0), 0}; }},
      {"optima at this theta",
       [&](const Claim& claim) {
         return Truth{run->count([&](const Sample& s) { return s.theta == claim.at[0]; }), 0};
       }},
      {"optima at an end of the grid",
       [&](const Claim&) {
         return Truth{run->count([](const Sample& s) { return s.theta == 0.1 || s.theta == 10; }),
                      0};
       }},
      {"samples where the paper's rule does nothing",
       [&](const Claim&) {
         return Truth{run->count([](const Sample& s) {
                        return !(s.entropy > kGate && papers(s.entropy) > 1);
                      }),
                      0};
       }},
      {"smallest entropy", [&](const Claim&) { return Truth{run->low(), 1e-9}; }},
      {"largest entropy", [&](const Claim&) { return Truth{run->high(), 1e-9}; }},
      {"residual",
       [&](const Claim&) { return Truth{run->residual(), near(run->residual())}; }},
      {"smallest 1/theta of the curve",
       [&](const Claim&) { return Truth{run->range().first, near(run->range().first)}; }},
      {"largest 1/theta of the curve",
       [&](const Claim&) { return Truth{run->range().second, near(run->range().second)}; }},
      {"no peak among the samples", [&](const Claim&) { return holds(!run->peak()); }},
      {"peak among the samples",
       [&](const Claim&) { return Truth{run->peak().value_or(NAN), 1e-5}; }},
      {"1/theta at the peak",
       [&](const Claim&) {
         const double value = run->curve().at(run->peak().value_or(NAN));
         return Truth{value, near(value)};
       }},
      // Resamples that are nearly singular may fall on either side of it: one in a hundred.
      {"resamples with a peak",
       [&](const Claim&) { return Truth{static_cast<double>(std::ssize(run->peaks())), 10}; }},
      {"low end of the resampled peaks",
       [&](const Claim&) {
         const std::size_t out = run->peaks().size() / 40;
         return Truth{run->peaks()[out], 1e-4 * (run->high() - run->low())};
       }},
      {"high end of the resampled peaks",
       [&](const Claim&) {
         const std::size_t out = run->peaks().size() / 40;
         return Truth{run->peaks()[run->peaks().size() - 1 - out],
                      1e-4 * (run->high() - run->low())};
       }},
      {"peak of the paper's rule", [](const Claim&) { return Truth{papers_peak(), 1e-4}; }},
      {"1/theta at the paper's peak",
       [](const Claim&) { return Truth{papers(papers_peak()), 1e-6}; }},
      {"all sets dropped",
       [&, items](const Claim& claim) {
         return holds(run->samples(items(claim)) == 0 &&
                      claim.at[1] == (items(claim) == 0 ? run->drawn()
                                                        : run->drawn() / run->sizes()));
       }},
      {"samples, too few for a fit",
       [&, items](const Claim& claim) { return Truth{run->samples(items(claim)), 0}; }},
      {"different entropies, too few for a fit",
       [&, items](const Claim& claim) {
         return Truth{static_cast<double>(std::ssize(run->distinct(items(claim)))), 0};
       }},
      {"entropies too close together for a fit",
       [&, items](const Claim& claim) { return holds(run->too_close(items(claim))); }},
  });
}

std::vector<int> numbers(const std::string& text) {
  std::vector<int> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(std::stoi(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return all;
}

TEST(FitStatements, OfHeadsAreTrue) {
  const Refit* run = nullptr;
  Claims claims = claims_of(run);
  const std::vector<std::string> sizes = {"16,64,256", "16", "1", "2", "1024,128"};
  const std::vector<std::string> sets = {"40", "1", "8", "200"};
  const std::vector<std::string> seeds = {"1", "2"};
  const auto heads = static_cast<int>(zoo().size());
  for (const std::vector<int>& row : pairwise({heads, 5, 4, 2})) {
    const ZooHead& head = zoo()[static_cast<std::size_t>(row[0])];
    SCOPED_TRACE(head.name + " n = " + sizes[row[1]] + ", sets " + sets[row[2]]);
    const ExperimentResult result = run_on("fit", head,
                                           {{"sizes", sizes[row[1]]},
                                            {"sets", sets[row[2]]},
                                            {"set-seed", seeds[row[3]]},
                                            {"per-size", "1"}});
    const Refit of_head(head, numbers(sizes[row[1]]), std::stoi(sets[row[2]]),
                      static_cast<std::uint32_t>(std::stoi(seeds[row[3]])), result);
    run = &of_head;
    claims.check(statements_of(result));
    if (!result.rule) continue;
    claims.check(result.rule_text);
    claims.check(result.guarded_rule_text);
    EXPECT_LE(result.guarded_rule->peak, of_head.high());
    EXPECT_GE(result.guarded_rule->peak, of_head.low());
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// A peak that is noise of the sets is told with its interval, which other sets' peaks lie in.
TEST(FitStatements, TheShippedHeadsPeakComesWithItsInterval) {
  const ExperimentResult result =
      run_on("fit", zoo_head("shipped"), {{"sizes", "16,64,256,1024"}, {"sets", "128"}});
  const std::string sentence = result.figure.sentence;
  EXPECT_NE(sentence.find(" of 1\u2009000 resamples of the sets have one"), std::string::npos)
      << sentence;
}

}  // namespace
}  // namespace dispersion

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/math/least_squares.h"
#include "core/task/draws.h"
#include "core/task/item_sets.h"
#include "tests/statements/zoo.h"

namespace dispersion {

// A fit of the adaptive temperature made again: samples, polynomial and resamples from their
// definitions, for what is said of them.

inline constexpr double kGate = 0.5;
inline constexpr int kResampled = 1000;

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
inline std::optional<double> peak_of(const Curve& curve, double low, double high) {
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

// Weighted least squares by reflections of the weighted samples; nothing where they are too few, or
// so close together that a power differs from the lower ones by less than `pivot`.
inline std::optional<Curve> fitted(const std::vector<Sample>& samples,
                                   const std::vector<int>& weights, double low, double high,
                                   long double pivot = 1e-13L) {
  if (!(low < high)) return std::nullopt;
  Curve curve{.middle = (low + high) / 2, .half = (high - low) / 2};
  std::vector<Column> columns(5);
  Column target;
  std::set<double> entropies;
  std::set<double> thetas;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (weights[i] == 0) continue;
    entropies.insert(samples[i].entropy);
    thetas.insert(samples[i].theta);
    const long double u = (samples[i].entropy - curve.middle) / curve.half;
    long double power = std::sqrt(static_cast<long double>(weights[i]));
    target.push_back(power / samples[i].theta);
    for (Column& column : columns) {
      column.push_back(power);
      power *= u;
    }
  }
  if (entropies.size() < 5) return std::nullopt;
  const auto powers = least_squares(columns, target, pivot);
  if (!powers) return std::nullopt;
  if (thetas.size() == 1) {
    curve.power[0] = 1 / *thetas.begin();
    return curve;
  }
  for (std::size_t k = 0; k < 5; ++k)
    curve.power[k] = static_cast<double>((*powers)[k]);
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
    curve_ = fitted(samples_, std::vector<int>(samples_.size(), 1), low_, high_);
    if (curve_) resample();
  }

  // Of these samples alone.
  explicit Refit(std::vector<Sample> samples)
      : sizes_({2}),
        sets_(static_cast<int>(samples.size())),
        seed_(1),
        samples_(std::move(samples)) {}

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
  // Within a twentieth of one another, or in so few clusters that the powers hardly differ.
  bool too_close(int items) const {
    const std::set<double> all = distinct(items);
    const double middle = (*all.begin() + *all.rbegin()) / 2;
    const double half = (*all.rbegin() - *all.begin()) / 2;
    std::vector<Column> columns(5);
    for (const double entropy : all) {
      long double power = 1;
      for (Column& column : columns) {
        column.push_back(power);
        power *= (entropy - middle) / half;
      }
    }
    return half < 0.025 * *all.rbegin() ||
           !least_squares(columns, Column(all.size(), 1), 1e-5L).has_value();
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
  bool constant() const {
    return std::ranges::all_of(samples_,
                               [&](const Sample& s) { return s.theta == samples_[0].theta; });
  }
  // The largest distance of a sample from the polynomial of its own fit: of one size, or of all.
  double off(int items) const {
    std::vector<Sample> own;
    for (const Sample& s : samples_) {
      if (items == 0 || s.items == items) own.push_back(s);
    }
    const std::set<double> entropies = distinct(items);
    const std::optional<Curve> curve =
        fitted(own, std::vector<int>(own.size(), 1), *entropies.begin(), *entropies.rbegin());
    double most = curve ? 0 : INFINITY;
    for (const Sample& s : own) {
      if (curve) most = std::max(most, std::abs(curve->at(s.entropy) - 1 / s.theta));
    }
    return most;
  }
  const Curve& curve() const { return *curve_; }
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<double>& peaks() const { return peaks_; }
  // At least and at most: it depends on the rounding of an arithmetic which of the resamples whose
  // entropies are very close together have a fit.
  std::pair<double, double> resamples_with_fit() const { return {surely_fitted_, fitted_}; }

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
      const auto target =
          static_cast<std::size_t>(std::max_element(priorities, priorities + items) - priorities);
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
      std::optional<Curve> curve = fitted(samples_, taken, low_, high_, 1e-4L);
      if (curve) {
        ++surely_fitted_;
      } else {
        curve = fitted(samples_, taken, low_, high_);
      }
      if (!curve) continue;
      ++fitted_;
      if (const std::optional<double> peak = peak_of(*curve, low_, high_)) peaks_.push_back(*peak);
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
  int surely_fitted_ = 0;
  int fitted_ = 0;
};

}  // namespace dispersion

#include "core/experiment/temperature_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/attention/softmax.h"
#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

Parameters<float> small_head() {
  return initial_parameters({.width = 16, .classes = 10}, 3);
}

FitRun finished(int threads, FitSettings settings) {
  const auto backend = make_cpu_backend(threads);
  FitRun run = start_fit(std::move(settings));
  while (advance_fit(run, small_head(), *backend)) {
  }
  return run;
}

// A run made of points that lie on a known curve.
FitRun synthetic(const std::vector<double>& entropies, auto theta) {
  FitRun run = start_fit({.sizes = {16}, .sets = 100});
  run.generated = {100};
  run.dropped = {100 - static_cast<std::int64_t>(entropies.size())};
  for (const double h : entropies)
    run.samples.push_back({16, h, {.index = 50, .theta = theta(h)}});
  return run;
}

TEST(ThetaSearch, HalvingFindsWhatTryingEveryPointFinds) {
  std::mt19937 random(5);
  const ThetaGrid grid;
  for (int trial = 0; trial < 300; ++trial) {
    const double scale = std::pow(10, trial % 5 - 2);
    std::vector<double> logits;
    for (int i = 0; i < 2 + trial % 40; ++i)
      logits.push_back(scale * static_cast<double>(random()) / 4294967296.0);
    const std::size_t target = random() % logits.size();
    std::int64_t best = grid.first;
    double highest = log_probability(logits, target, grid.theta(best));
    for (std::int64_t index = grid.first; index <= grid.last; ++index) {
      const double value = log_probability(logits, target, grid.theta(index));
      if (value > highest) {
        best = index;
        highest = value;
      }
    }
    const ThetaSearch search = search_theta(logits, target, grid);
    EXPECT_EQ(search.index, best) << trial;
    EXPECT_EQ(search.log_probability, highest);
    EXPECT_GE(search.margin, 0);
  }
}

// Two items of equal logits: every theta gives 1/2.
TEST(ThetaSearch, TiesGoToTheSmallerTheta) {
  const std::vector<double> equal = {2, 2};
  const ThetaSearch search = search_theta(equal, 0, {});
  EXPECT_EQ(search.theta, 0.1);
  EXPECT_EQ(search.margin, 0);
  EXPECT_NEAR(search.log_probability, std::log(0.5), 1e-15);
}

TEST(ThetaSearch, KeepsOptimaAtTheEndsOfTheGrid) {
  const std::vector<double> hopeless = {0, 40, 39};
  EXPECT_EQ(search_theta(hopeless, 0, {}).theta, 10);
  // The slope in beta is 0 where 3 exp(-beta) = gap / 2, at beta = 22.5.
  const std::vector<double> nearly_first = {1, 1 + 1e-9, 0, 0, 0};
  EXPECT_EQ(search_theta(nearly_first, 0, {}).index, 1);
}

TEST(TemperatureFit, FindsAKnownPolynomial) {
  const AdaptiveRule paper;
  std::vector<double> entropies;
  for (int i = 0; i < 60; ++i)
    entropies.push_back(0.9 + i / 12.0);
  const FitRun run = synthetic(entropies, [&](double h) { return 1 / polynomial(paper, h); });
  const TemperatureFit fit = pooled_fit(run);
  ASSERT_TRUE(fit.fit) << fit.fit.reason;
  EXPECT_EQ(fit.samples, 60);
  EXPECT_EQ(fit.dropped, 40);
  EXPECT_EQ(fit.entropy_range->low, 0.9);
  EXPECT_EQ(fit.entropy_range->high, entropies.back());
  EXPECT_LT(fit.fit->residual, 1e-14);
  const AdaptiveRule rule = rule_from(*fit.fit);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(rule.coefficients[i] / paper.coefficients[i], 1, 1e-11);
  EXPECT_EQ(rule.gate, paper.gate);
}

TEST(TemperatureFit, SaysWhyThereIsNone) {
  const auto one = [](double) { return 1.0; };
  const TemperatureFit none = pooled_fit(synthetic({}, one));
  EXPECT_NE(none.fit.reason.find("all 100 sets were dropped"), std::string::npos);
  EXPECT_FALSE(none.entropy_range);
  EXPECT_NE(pooled_fit(synthetic({1, 2, 3}, one)).fit.reason.find("too few samples"),
            std::string::npos);
  EXPECT_NE(pooled_fit(synthetic({1, 1, 1, 2, 2, 2}, one)).fit.reason.find("singular"),
            std::string::npos);
  EXPECT_EQ(pooled_fit(start_fit({})).fit.reason, "no sets yet");
}

TEST(TemperatureFit, DropsSetsThatTheMaximumWinsAlready) {
  const FitRun run = finished(1, {.sizes = {1, 8, 64}, .sets = 40});
  EXPECT_EQ(run.dropped[0], 40);  // one item has all there is
  const std::vector<TemperatureFit> fits = fits_by_size(run);
  ASSERT_EQ(fits.size(), 3u);
  std::int64_t samples = 0;
  for (const TemperatureFit& fit : fits) {
    EXPECT_EQ(fit.generated, 40);
    EXPECT_EQ(fit.samples + fit.dropped, 40);
    samples += fit.samples;
  }
  const TemperatureFit pooled = pooled_fit(run);
  EXPECT_EQ(pooled.generated, 120);
  EXPECT_EQ(pooled.samples, samples);
  EXPECT_NE(fits[0].fit.reason.find("all 40 sets were dropped"), std::string::npos);
}

// Every sample is what the definition gives for its set, one after the other.
TEST(TemperatureFit, SamplesFollowTheDefinition) {
  const FitRun run = finished(2, {.sizes = {24}, .sets = 30, .seed = 9});
  ItemSets sets;
  sets.resize(30, 24);
  draw_item_sets(9, RandomPurpose::kTemperatureFit, 24, 0, sets);
  std::vector<float> logits;
  make_cpu_backend(1)->attention_logits(small_head(), sets.view(), logits);
  std::size_t next = 0;
  for (std::size_t set = 0; set < 30; ++set) {
    const std::vector<double> row(logits.begin() + static_cast<std::ptrdiff_t>(set * 24),
                                  logits.begin() + static_cast<std::ptrdiff_t>(set * 24 + 24));
    const int target = first_largest(std::span(sets.priority).subspan(set * 24, 24));
    if (row[target] == *std::ranges::max_element(row)) continue;
    ASSERT_LT(next, run.samples.size());
    const FitSample& sample = run.samples[next++];
    std::vector<double> weights(24);
    softmax<double>(row, 1, weights);
    EXPECT_NEAR(sample.entropy, entropy<double>(weights), 1e-12);
    EXPECT_EQ(sample.search.index, search_theta(row, target, {}).index);
  }
  EXPECT_EQ(next, run.samples.size());
}

TEST(TemperatureFit, StopsAndGoesOnWithTheSameResultForAnyThreads) {
  const FitSettings settings = {.sizes = {16, 20000}, .sets = 12};
  const FitRun one = finished(1, settings);
  const FitRun three = finished(3, settings);
  ASSERT_EQ(one.samples.size(), three.samples.size());
  for (std::size_t i = 0; i < one.samples.size(); ++i) {
    EXPECT_EQ(one.samples[i].entropy, three.samples[i].entropy);
    EXPECT_EQ(one.samples[i].search.theta, three.samples[i].search.theta);
  }
  EXPECT_EQ(share_done(one), 1);
  const auto backend = make_cpu_backend(1);
  FitRun stopped = start_fit(settings);
  advance_fit(stopped, small_head(), *backend);
  EXPECT_LT(share_done(stopped), 1);
  FitRun resumed = stopped;
  while (advance_fit(resumed, small_head(), *backend)) {
  }
  EXPECT_EQ(resumed.samples.size(), one.samples.size());
  EXPECT_EQ(resumed.samples.back().entropy, one.samples.back().entropy);
}

TEST(TemperatureFit, StopsWithinASetOfManyItems) {
  FitRun run = start_fit({.sizes = {20'000}, .sets = 2});
  int asked = 0;
  EXPECT_FALSE(
      advance_fit(run, small_head(), *make_cpu_backend(1), [&](double) { return ++asked < 5; }));
  EXPECT_EQ(asked, 5);
  EXPECT_TRUE(run.samples.empty());
  EXPECT_EQ(run.generated.front(), 0);
}

TEST(TemperatureFit, RefusesImpossibleSettings) {
  EXPECT_THROW(start_fit({.sizes = {}}), std::invalid_argument);
  EXPECT_THROW(start_fit({.sizes = {0}}), std::invalid_argument);
  EXPECT_THROW(start_fit({.sets = 0}), std::invalid_argument);
  EXPECT_THROW(start_fit({.grid = {.first = 0}}), std::invalid_argument);
  EXPECT_THROW(rule_from({.coefficients = {1, 2}}), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion

#include "core/experiment/fit_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/rule_shape.h"

namespace dispersion {
namespace {

// Samples along the paper's polynomial, with a scatter of this size that knows no direction.
FitRun along_the_paper(double scatter, double low, double high) {
  constexpr int kSamples = 200;
  FitRun run = start_fit({.sizes = {16, 32}, .sets = 120});
  run.generated = {120, 120};
  run.dropped = {20, 20};
  for (int i = 0; i < kSamples; ++i) {
    const double h = low + (high - low) * i / (kSamples - 1);
    const double inverse = polynomial(AdaptiveRule(), h) + scatter * std::sin(12.9898 * i * i);
    run.samples.push_back({i < 100 ? 16 : 32, h, {.index = 50, .theta = 1 / inverse}});
  }
  return run;
}

TEST(FitBootstrap, IsSureOfWhatHasNoScatter) {
  const FitRun run = along_the_paper(0, 0.3, 6);
  const FitBootstrap bootstrap = bootstrap_fit(run, pooled_fit(run));
  EXPECT_EQ(bootstrap.resamples, kResamples);
  ASSERT_EQ(bootstrap.peaks.size(), static_cast<std::size_t>(kResamples));
  EXPECT_NEAR(bootstrap.peaks.front(), 4.412, 1e-3);
  EXPECT_NEAR(bootstrap.peaks.back(), bootstrap.peaks.front(), 1e-6);
  EXPECT_NEAR(bootstrap.begins.front(), 0.8486, 1e-4);
  EXPECT_NEAR(bootstrap.ends.back(), 5.9445, 1e-4);
}

TEST(FitBootstrap, IsTheMoreUnsureTheMoreTheSamplesScatter) {
  double last = 0;
  for (const double scatter : {0.05, 0.5}) {
    const FitRun run = along_the_paper(scatter, 0.3, 5.9);
    const FitBootstrap bootstrap = bootstrap_fit(run, pooled_fit(run));
    const Interval middle = middle_of(bootstrap.peaks);
    EXPECT_GT(middle.high - middle.low, 3 * last);
    last = middle.high - middle.low;
    EXPECT_GT(middle.low, 0.3);
    EXPECT_LE(middle.high, 5.9);
    EXPECT_EQ(bootstrap_fit(run, pooled_fit(run)).peaks, bootstrap.peaks);  // no chance in it
  }
}

// Samples up to H = 4 have neither the peak nor the end of the polynomial that made them.
TEST(FitBootstrap, KnowsNothingBeyondTheSamples) {
  const FitRun run = along_the_paper(0, 1, 4);
  const TemperatureFit fit = pooled_fit(run);
  const FitShape shape = fit_shape(rule_from(*fit.fit), *fit.entropy_range);
  EXPECT_FALSE(shape.peak || shape.begin || shape.end);
  const FitBootstrap bootstrap = bootstrap_fit(run, fit);
  EXPECT_EQ(bootstrap.resamples, kResamples);
  EXPECT_TRUE(bootstrap.peaks.empty() && bootstrap.begins.empty() && bootstrap.ends.empty());
}

TEST(FitBootstrap, IsNotMadeWithoutAFitAndAfterAStop) {
  const FitRun none = start_fit({});
  EXPECT_EQ(bootstrap_fit(none, pooled_fit(none)).resamples, 0);
  const FitRun run = along_the_paper(0, 1, 4);
  int asked = 0;
  const auto stop = [&](double) { return ++asked < 5; };
  EXPECT_EQ(bootstrap_fit(run, pooled_fit(run), Progress(stop)).resamples, 0);
  EXPECT_EQ(asked, 5);
}

// Five samples give one polynomial, again and again.
TEST(FitBootstrap, IsNotMadeOfAPolynomialThroughEverySample) {
  FitRun run = start_fit({.sizes = {16}, .sets = 6});
  run.generated = {6};
  for (int i = 0; i < 5; ++i)
    run.samples.push_back({16, 1.0 + i, {.index = 50, .theta = 1.0 + i % 2}});
  run.dropped = {1};
  EXPECT_FALSE(has_freedom(pooled_fit(run)));
  EXPECT_EQ(bootstrap_fit(run, pooled_fit(run)).resamples, 0);
  // With a sixth, the resamples that have a fit are those with five of them.
  run.samples.push_back({16, 6.0, {.index = 50, .theta = 4}});
  run.dropped = {0};
  const FitBootstrap bootstrap = bootstrap_fit(run, pooled_fit(run));
  EXPECT_EQ(bootstrap.resamples, kResamples);
  // 6^6 draws, of which 6! take all six and 6 * 5 * 6! / 2 five of them: 0.247.
  EXPECT_NEAR(bootstrap.fitted, 247, 60);
  EXPECT_LE(bootstrap.peaks.size(), static_cast<std::size_t>(bootstrap.fitted));
}

TEST(FitBootstrap, DigitsFollowTheWidth) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(i / 1000.0);
  EXPECT_EQ(decimals_of(values, 1), 1);  // 0.949 wide
  EXPECT_EQ(decimals_of(values, 2), 2);
  for (double& value : values)
    value *= 20;
  EXPECT_EQ(decimals_of(values, 1), -1);
  EXPECT_EQ(place_decimals(values), 0);
  EXPECT_EQ(decimals_of({}, 1), 2);
}

TEST(FitBootstrap, TheMiddleHoldsNineteenOfTwenty) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(i);
  EXPECT_EQ(middle_of(values).low, 25);
  EXPECT_EQ(middle_of(values).high, 974);
  EXPECT_EQ(middle_of(std::span(values).first(3)).high, 2);
}

}  // namespace
}  // namespace dispersion

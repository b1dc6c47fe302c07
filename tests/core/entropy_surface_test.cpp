#include "core/experiment/entropy_surface.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "core/attention/softmax.h"
#include "core/cpu/cpu_backend.h"
#include "core/figure/figures.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

constexpr PowerSeries kFromOne = {};
constexpr PowerSeries kFromZero = {.first_exponent = 0};

// Straight from the definition, in long double.
double by_definition(double lambda, double theta, PowerSeries series) {
  long double max = -INFINITY;
  for (int i = 0; i < series.terms; ++i)
    max = std::max(max, std::pow(static_cast<long double>(lambda), series.first_exponent + i));
  std::vector<long double> weights;
  long double sum = 0;
  for (int i = 0; i < series.terms; ++i) {
    const long double term = std::pow(static_cast<long double>(lambda), series.first_exponent + i);
    weights.push_back(std::exp((term - max) / static_cast<long double>(theta)));
    sum += weights.back();
  }
  long double entropy = 0;
  for (const long double weight : weights)
    entropy -= weight > 0 ? weight / sum * std::log(weight / sum) : 0;
  return static_cast<double>(entropy);
}

TEST(PowerSeriesEntropy, IsTheDefinition) {
  for (const PowerSeries series : {kFromOne, kFromZero, PowerSeries{1, 3}}) {
    for (const double lambda : {0.1, 0.5, 0.9, 1.1, 1.7, 2.5}) {
      for (const double theta : {0.05, 0.3, 1.0, 4.0, 100.0}) {
        EXPECT_NEAR(power_series_entropy(lambda, theta, series),
                    by_definition(lambda, theta, series), 1e-13)
            << lambda << " " << theta;
      }
    }
  }
}

TEST(PowerSeriesEntropy, DegenerateCasesAreExact) {
  const double all_equal = std::log(10.0);
  for (const double theta : {1e-300, 1e-9, 1.0, 1e300}) {
    EXPECT_EQ(power_series_entropy(0, theta, kFromOne), all_equal);  // ten zeros
    EXPECT_EQ(power_series_entropy(1, theta, kFromOne), all_equal);
    EXPECT_EQ(power_series_entropy(1, theta, kFromZero), all_equal);
  }
  // 0^0 = 1 and nine zeros: one weight 1 / (1 + 9 exp(-1 / theta)).
  const double weight = 1 / (1 + 9 * std::exp(-2.0));
  const double other = (1 - weight) / 9;
  EXPECT_NEAR(power_series_entropy(0, 0.5, kFromZero),
              -weight * std::log(weight) - 9 * other * std::log(other), 1e-15);
  EXPECT_EQ(power_series_entropy(0.5, 1e-300, kFromOne), 0);  // only the largest term is left
  EXPECT_EQ(power_series_entropy(2, 1e-300, kFromOne), 0);
  EXPECT_NEAR(power_series_entropy(0.5, 1e300, kFromOne), all_equal, 1e-15);
  EXPECT_EQ(power_series_entropy(0.5, 1, PowerSeries{1, 1}), 0);  // one term alone
}

TEST(PowerSeriesEntropy, RefusesWhatIsNoTemperatureOrNoNumber) {
  EXPECT_THROW(power_series_entropy(0.5, 0, kFromOne), std::invalid_argument);
  EXPECT_THROW(power_series_entropy(0.5, -1, kFromOne), std::invalid_argument);
  EXPECT_THROW(power_series_entropy(0.5, std::nan(""), kFromOne), std::invalid_argument);
  EXPECT_THROW(power_series_entropy(1e40, 1, kFromOne), std::invalid_argument);
  EXPECT_THROW(power_series_entropy(0.5, 1, PowerSeries{1, 0}), std::invalid_argument);
}

TEST(PowerSeriesRegions, MeetAtOneAndFallWithTemperature) {
  const RegionLimits limits = {.points = 9};
  const std::vector<PowerSeriesSurface> regions = power_series_regions(limits, kFromOne);
  ASSERT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions[0].lambda.back(), 1);
  EXPECT_EQ(regions[1].lambda.front(), 1);
  EXPECT_EQ(regions[0].theta.back(), 1);
  EXPECT_EQ(regions[2].theta.front(), 1);
  EXPECT_EQ(regions[3].lambda.back(), limits.highest_lambda);
  for (const PowerSeriesSurface& region : regions) {
    ASSERT_EQ(region.entropy.size(), 81u);
    EXPECT_EQ(region.entropy[9 * 2 + 5],
              power_series_entropy(region.lambda[5], region.theta[2], kFromOne));
    for (std::size_t i = 9; i < 81; ++i)  // the proposition on entropy
      EXPECT_GE(region.entropy[i], region.entropy[i - 9] - 1e-12);
  }
  EXPECT_THROW(power_series_regions({.lowest_lambda = 1}, kFromOne), std::invalid_argument);
  EXPECT_THROW(power_series_regions({.points = 1}, kFromOne), std::invalid_argument);
}

TEST(PowerSeriesFigure, HasAFieldPerRegionAndASentence) {
  const Figure figure =
      power_series_figure(power_series_regions({.points = 5}, kFromOne), kFromOne);
  ASSERT_EQ(figure.fields.size(), 4u);
  EXPECT_EQ(figure.fields[0].title, "λ ≤ 1, θ ≤ 1");
  EXPECT_EQ(figure.fields[3].title, "λ ≥ 1, θ ≥ 1");
  EXPECT_EQ(figure.fields[0].subtitle, "softmax of λⁱ / θ, i = 1 … 10");
  EXPECT_EQ(figure.title.text(), "Entropy never falls as the temperature rises");
  const FieldPlot& field = figure.fields[1];
  ASSERT_EQ(field.values.size(), 25u);
  for (std::size_t i = 5; i < 25; ++i)
    EXPECT_GE(field.values[i], field.values[i - 5] - 1e-6F);  // as the title says
  EXPECT_DOUBLE_EQ(figure.fields[2].high, std::log(10.0));
  EXPECT_NE(figure.sentence.text().find("2.303"), std::string::npos) << figure.sentence.text();
}

// The bases of the first region may be such that their middle is a base whose logits are all equal.
TEST(PowerSeriesFigure, TellsOfABaseWhoseEntropyRises) {
  for (const double lowest : {-1.0, -3.0, -1.0001, 0.0, 0.333, 0.8}) {
    const Figure figure = power_series_figure(
        power_series_regions({.lowest_lambda = lowest, .points = 3}, kFromOne), kFromOne);
    EXPECT_EQ(figure.sentence.text().find("λ = 0 it"), std::string::npos) << figure.sentence.text();
    EXPECT_EQ(figure.sentence.text().find("it is 2.303"), std::string::npos)
        << figure.sentence.text();
  }
  const PowerSeries one = {.first_exponent = 1, .terms = 1};
  const Figure figure = power_series_figure(power_series_regions({.points = 3}, one), one);
  EXPECT_EQ(figure.title, "A single logit has no entropy");
  EXPECT_NE(figure.sentence.text().find("H = 0"), std::string::npos);
}

TEST(HeadSurface, IsTheMeanEntropyOfTheSets) {
  const Parameters<float> head = initial_parameters(HeadShape{.width = 16, .classes = 10}, 3);
  const auto backend = make_cpu_backend(1);
  const std::vector<int> sizes = {4, 30'000};  // the latter in several calls
  const std::vector<double> theta = {0.01, 1};
  const HeadSurface surface = head_entropy_surface(*backend, head, 7, sizes, theta, 5, {});
  for (std::size_t column = 0; column < 2; ++column) {
    ItemSets sets;
    sets.resize(5, sizes[column]);
    draw_item_sets(7, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(sizes[column]), 0,
                   sets);
    for (std::size_t row = 0; row < 2; ++row) {
      const std::vector<AttentionTransform> transforms = {{TransformId::kSoftmax, theta[row], {}}};
      const SetEvaluation evaluation = backend->evaluate(head, sets.view(), transforms);
      double mean = 0;
      for (const float entropy : evaluation.transforms[0].entropy)
        mean += static_cast<double>(entropy) / 5;
      EXPECT_NEAR(surface.entropy[row * 2 + column], mean, 1e-5);
    }
  }
}

TEST(HeadSurface, StopsWhenAskedAndKnowsNothingBeyond) {
  const Parameters<float> head = initial_parameters(HeadShape{.width = 16, .classes = 10}, 3);
  const auto backend = make_cpu_backend(1);
  int calls = 0;
  const HeadSurface surface = head_entropy_surface(*backend, head, 1, std::array{8, 16, 32},
                                                   std::array{1.0}, 2, [&](double share) {
                                                     EXPECT_LT(share, 1);
                                                     return ++calls < 2;
                                                   });
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(std::isfinite(surface.entropy[1]));
  EXPECT_TRUE(std::isnan(surface.entropy[2]));
  EXPECT_THROW(size_logits(*backend, head, 1, 0, 2), std::invalid_argument);
  const SizeLogits logits =
      size_logits(*backend, head, 1, 10'000, 5, [](double share) { return share < 0.3; });
  EXPECT_EQ(logits.sets, 2);
  EXPECT_EQ(logits.logits.size(), 20'000U);
}

TEST(HeadSurfaceFigure, SaysWhereItBeginsAndEnds) {
  HeadSurface surface = empty_head_surface(std::array{16, 1024}, std::array{0.1, 1.0}, 32);
  surface.entropy = {0.125, 2, 0.5, 4.75};
  const Figure figure = head_surface_figure(surface);
  ASSERT_EQ(figure.fields.size(), 1u);
  EXPECT_EQ(figure.fields[0].values[3], 4.75f);
  EXPECT_NE(figure.sentence.text().find("from 0.50 nats at n = 16 to 4.75"), std::string::npos)
      << figure.sentence.text();
  EXPECT_NE(figure.sentence.text().find("θ = 0.10 brings it down to 2.00"), std::string::npos);
  // A head that is uniform is so at every temperature.
  surface.entropy = {2.77, 6.93, 2.77, 6.93};
  const std::string uniform = head_surface_figure(surface).sentence;
  EXPECT_NE(uniform.find("θ = 0.10 leaves it at 6.93"), std::string::npos) << uniform;
  // Stopped after the first of two sizes.
  surface.entropy = {0.125, NAN, 0.5, NAN};
  const std::string stopped = head_surface_figure(surface).sentence;
  EXPECT_NE(stopped.find("this head is 0.50 nats at n = 16; there"), std::string::npos) << stopped;
  EXPECT_TRUE(head_surface_figure({}).fields.empty());
}

}  // namespace
}  // namespace dispersion

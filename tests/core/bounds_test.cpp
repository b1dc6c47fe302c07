#include "core/experiment/bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "core/attention/softmax.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

// One high logit among low ones gets the sharp upper bound, one low among high ones the lower.
TEST(WeightBounds, SharpOnesAreAttained) {
  for (const double delta : {0.0, 0.5, 5.69, 32.74}) {
    for (const std::size_t items : {2u, 16u, 1000u}) {
      std::vector<double> logits(items, 0.0);
      std::vector<double> weights(items);
      const WeightBounds bounds = weight_bounds(delta, static_cast<double>(items));
      logits[0] = delta;
      softmax<double>(logits, 1, weights);
      EXPECT_NEAR(bounds.sharp_upper / weights[0], 1, 1e-13);
      EXPECT_GE(bounds.upper, weights[0] * (1 - 1e-14));
      logits[0] = -delta;
      softmax<double>(logits, 1, weights);
      EXPECT_NEAR(bounds.sharp_lower / weights[0], 1, 1e-13);
      EXPECT_LE(bounds.lower, weights[0] * (1 + 1e-14));
    }
  }
}

// What the notes on practical spreads say of delta = 5.69: 0.54 at 256 and 0.067 at 4,096 items,
// with a lemma that says nothing until 296 items.
TEST(WeightBounds, OfThePapersGemmaSpread) {
  EXPECT_NEAR(weight_bounds(5.69, 256).sharp_upper, 0.54, 0.005);
  EXPECT_NEAR(weight_bounds(5.69, 4096).sharp_upper, 0.067, 0.0005);
  EXPECT_GT(weight_bounds(5.69, 295).upper, 1);
  EXPECT_LT(weight_bounds(5.69, 297).upper, 1);
}

TEST(WeightBounds, HoldForAnySpreadThatIsANumber) {
  const WeightBounds bounds = weight_bounds(5000, 16);
  EXPECT_EQ(bounds.sharp_upper, 1);
  EXPECT_EQ(bounds.lower, 0);
  EXPECT_TRUE(std::isinf(bounds.upper));
  EXPECT_THROW(weight_bounds(-1, 16), std::invalid_argument);
  EXPECT_THROW(weight_bounds(1, 0), std::invalid_argument);
  EXPECT_THROW(weight_bounds(std::nan(""), 16), std::invalid_argument);
}

TEST(BoundsRow, MeasuresAllSets) {
  const SizeLogits logits{3, 2, {0, 1, 2, 0, 0, 4}};
  const BoundsRow row = bounds_row(logits, 2);
  std::array<double, 3> first;
  std::array<double, 3> second;
  softmax<double>(std::array<double, 3>{0, 1, 2}, 0.5, first);
  softmax<double>(std::array<double, 3>{0, 0, 4}, 0.5, second);
  EXPECT_EQ(row.items, 3);
  EXPECT_EQ(row.delta, 4);
  EXPECT_EQ(row.mean_delta, 3);
  EXPECT_NEAR(row.largest_weight, second[2], 1e-15);
  EXPECT_NEAR(row.smallest_weight, std::min(first[0], second[0]), 1e-15);
  EXPECT_NEAR(row.mean_largest_weight, (first[2] + second[2]) / 2, 1e-15);
  EXPECT_EQ(row.violations, 0);
  EXPECT_DOUBLE_EQ(row.bounds.upper, weight_bounds(2, 3).upper);
}

// H of two weights p and 1 - p with p = 1 / (1 + exp(-beta)): dH/dbeta = -beta p (1 - p).
TEST(EntropySlope, OfTwoLogitsIsKnown) {
  const SizeLogits logits{2, 1, {0, 1}};
  for (const double beta : {0.1, 1.0, 3.0}) {
    const double p = 1 / (1 + std::exp(-beta));
    const EntropySlope slope = entropy_slope(logits, beta);
    EXPECT_NEAR(slope.formula, -beta * p * (1 - p), 1e-15);
    // The difference is off by s^2 / 6 times the third derivative.
    EXPECT_NEAR(slope.difference, slope.formula, 1e-7 * std::abs(slope.formula) + 1e-11);
    EXPECT_NEAR(slope.entropy, -p * std::log(p) - (1 - p) * std::log(1 - p), 1e-15);
  }
  EXPECT_THROW(entropy_slope(logits, 0), std::invalid_argument);
}

TEST(EntropySlope, IsNeverAboveZeroAndIsWhatDifferencesSay) {
  SizeLogits logits{50, 2, {}};
  for (int i = 0; i < 100; ++i)
    logits.logits.push_back(static_cast<float>((i * 37) % 101) * 0.1f);
  const std::vector<EntropySlope> slopes = entropy_slopes(logits);
  EXPECT_NEAR(slopes.front().beta, 0.05, 1e-12);
  EXPECT_NEAR(slopes.back().beta, 5, 1e-12);
  for (const EntropySlope& slope : slopes)
    EXPECT_LE(slope.formula, 0);
  EXPECT_LT(largest_slope_error(slopes), 1e-6);
  std::vector<EntropySlope> wrong = slopes;
  wrong[20].difference *= 1.5;
  EXPECT_GT(largest_slope_error(wrong), 1e-3);
}

// Weights of 10^-322 have two digits, so that they may lie outside bounds of that size by rounding.
TEST(BoundsRow, IsNotMisledByWeightsThatAreHardlyDoubles) {
  for (const float low : {-730.0F, -738.0F, -742.5F, -800.0F, -1e6F}) {
    SizeLogits logits{16, 1, std::vector<float>(16, 0.0F)};
    logits.logits[3] = low;  // attains the sharp lower bound
    EXPECT_EQ(bounds_row(logits, 1).violations, 0) << low;
    EXPECT_EQ(bounds_row(logits, 1e-6).violations, 0) << low;
  }
}

TEST(SlopeSentence, SaysWhereDifferencesShowNothing) {
  SizeLogits logits{16, 1, std::vector<float>(16, 2.5F)};
  EXPECT_NE(slope_sentence(entropy_slopes(logits), 16).text().find("too little for differences"),
            std::string::npos);
  logits.logits[0] = 3;
  const std::vector<EntropySlope> slopes = entropy_slopes(logits);
  EXPECT_NE(slope_sentence(slopes, 16).text().find("by at most"), std::string::npos);
  EXPECT_LT(slope_rounding(slopes), 1e-9);
  EXPECT_TRUE(slope_sentence({}, 16).empty());
}

TEST(BoundsFigure, LeavesOutWhereTheLemmaSaysNothing) {
  BoundsRow row{.items = 16, .sets = 4, .delta = 4, .smallest_weight = 0.01, .bounds = {}};
  row.largest_weight = 0.5;
  row.mean_largest_weight = 0.4;
  row.bounds = weight_bounds(4, 16);
  BoundsRow next = row;
  next.items = 1024;
  next.bounds = weight_bounds(4, 1024);
  const std::vector<BoundsRow> rows = {row, next};
  const Figure figure = bounds_figure(rows, 1);
  ASSERT_EQ(figure.plots.size(), 1u);
  int lemmas = 0;
  for (const Series& series : figure.plots[0].series) {
    if (series.name == "upper bound of lemma 2.1") {
      ++lemmas;
      EXPECT_EQ(series.x, std::vector<double>{1024});
    }
    if (series.name == "largest weight, mean over sets") {
      EXPECT_EQ(series.y, (std::vector<double>{0.4, 0.4}));
    }
  }
  EXPECT_EQ(lemmas, 1);
  // What the plot has no place for is there for data files.
  ASSERT_EQ(figure.plots[0].unseen.size(), 1u);
  EXPECT_EQ(figure.plots[0].unseen[0].name, "upper bound of lemma 2.1");
  EXPECT_EQ(figure.plots[0].unseen[0].x, std::vector<double>{16});
  EXPECT_EQ(figure.plots[0].unseen[0].y, std::vector<double>{row.bounds.upper});
  EXPECT_EQ(figure.plots[0].series.size(), 8u);
  EXPECT_EQ(figure.plots[0].subtitle.text().find("not shown"), std::string::npos);
  EXPECT_EQ(figure.sentence.text().find("Not shown"), std::string::npos);
  const auto says = [](const Statement& statement, const char* words) {
    return statement.text().find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(figure.sentence, "In all 8 sets every weight lies within the bounds"));
  EXPECT_TRUE(says(figure.sentence, "is below 1 at 1 of 2 sizes")) << figure.sentence.text();
  EXPECT_EQ(figure.title.text(), "No weight leaves its bounds");
  EXPECT_TRUE(says(figure.plots[0].subtitle, ", θ = 1, "));
  EXPECT_TRUE(says(bounds_figure(rows, 0.0015).plots[0].subtitle, ", θ = 0.0015, "));
  std::vector<BoundsRow> broken = rows;
  broken[1].violations = 3;
  EXPECT_TRUE(says(bounds_sentence(broken), "3 of 8 sets have a weight outside the bounds"));
  EXPECT_EQ(bounds_figure(broken, 1).title.text(), "Attention weights and their bounds");
  EXPECT_TRUE(bounds_figure({}, 1).plots[0].series.empty());
}

TEST(BoundsFigure, NamesTheBoundsThatLieBeyondItsAxis) {
  BoundsRow row{.items = 1024, .sets = 4, .delta = 300, .smallest_weight = 0, .bounds = {}};
  row.largest_weight = 0.5;
  row.mean_largest_weight = 0.4;
  row.bounds = weight_bounds(300, 1024);
  const Figure figure = bounds_figure(std::vector<BoundsRow>{row}, 1);
  const std::string unseen =
      "shown below 10⁻⁴⁰: smallest weight, sharp lower bound, lower bound of lemma 2.1; above 1: "
      "upper bound of lemma 2.1";
  ASSERT_EQ(figure.plots[0].unseen.size(), 4u);
  EXPECT_EQ(figure.plots[0].unseen[1].name, "sharp lower bound");
  EXPECT_EQ(figure.plots[0].unseen[1].y, std::vector<double>{row.bounds.sharp_lower});
  // In both: paper has no room for the sentence, and the window none for so long a subtitle.
  EXPECT_TRUE(figure.plots[0].subtitle.text().ends_with("; not " + unseen))
      << figure.plots[0].subtitle.text();
  EXPECT_EQ(figure.sentence.text(),
            bounds_sentence(std::vector<BoundsRow>{row}).text() + " Not " + unseen + ".");
}

}  // namespace
}  // namespace dispersion

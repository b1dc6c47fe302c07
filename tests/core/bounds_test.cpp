#include "core/experiment/bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "core/attention/softmax.h"
#include "core/experiment/corollary.h"
#include "core/figure/figures.h"
#include "core/head/forward.h"
#include "core/verify/head_inputs.h"
#include "tests/core/golden_copy.h"

namespace dispersion {
namespace {

Parameters<float> head() {
  return initial_parameters(HeadShape{.width = 16, .classes = 10}, 3);
}

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

TEST(SmallestCount, IsTheFirstThatHolds) {
  EXPECT_EQ(smallest_count([](double n) { return n >= 1; }), 1);
  EXPECT_EQ(smallest_count([](double n) { return n >= 777; }), 777);
  EXPECT_EQ(smallest_count([](double n) { return n > 1e15; }), 1e15 + 1);
  EXPECT_EQ(smallest_count([](double n) { return n >= 3e200; }), 3e200);
  EXPECT_EQ(smallest_count([](double) { return false; }), std::nullopt);
}

TEST(Corollary, WeightOfAIsThatOfTheSoftmax) {
  std::vector<double> logits(1000, -1.5);
  std::vector<double> weights(1000);
  logits[0] = 2;
  softmax<double>(logits, 2, weights);
  EXPECT_NEAR(weight_of_a(3.5 / 0.5, 1000), weights[0], 1e-15);
  EXPECT_EQ(weight_of_a(-3, 1), 1);
}

// From weight < epsilon: n > 1 + (1 / epsilon - 1) exp(d). For a d of 5.69: bf16 from 7.6e4, fp16
// from 6e5, fp32 from 5e9 items.
TEST(Corollary, FormatsLoseTheWeightWhereTheFormulaSays) {
  const Corollary corollary = corollary_of(head(), {});
  const std::array<const char*, 3> names = {"fp32", "bf16", "fp16"};
  for (std::size_t i = 0; i < 3; ++i) {
    const FormatLimit& limit = corollary.limits[i];
    EXPECT_EQ(limit.format.name, names[i]);
    const double exact = 1 + (1 / limit.format.epsilon - 1) * std::exp(corollary.d);
    ASSERT_TRUE(limit.items);
    EXPECT_NEAR(*limit.items, exact, 1.5);
    EXPECT_LT(weight_of_a(corollary.d, *limit.items), limit.format.epsilon);
    EXPECT_GE(weight_of_a(corollary.d, *limit.items - 1), limit.format.epsilon);
    EXPECT_LE(*limit.items, limit.items_of_proof + 2);  // beyond the proof's n it must be lost
  }
  EXPECT_NEAR(std::exp(5.69) / 0x1p-8, 7.6e4, 1e3);
}

// The closed form against a set that is written out: the trained head of the golden data, with
// priorities so near to each other that it errs on a set that fits into memory.
TEST(Corollary, TheErrorIsThatOfARealSet) {
  GoldenFolder golden(golden_folder());
  const Parameters<float> trained = read_parameters(golden.file("trained.safetensors"), "");
  Corollary found;
  for (double b = 0.5; b < 0.8 && !(found.first_error && *found.first_error < 5000); b += 0.01)
    found = corollary_of(trained, {.priority_b = b, .class_a = 3, .class_b = 7});
  ASSERT_TRUE(found.first_error);
  ASSERT_GT(*found.first_error, 2);
  ASSERT_LT(*found.first_error, 5000);
  ASSERT_EQ(found.predicted_of_a, 3);
  const auto predict = [&](int items) {
    ItemSets sets;
    sets.resize(1, items);
    std::fill(sets.priority.begin(), sets.priority.end(),
              static_cast<float>(found.pair.priority_b));
    std::fill(sets.item_class.begin(), sets.item_class.end(),
              static_cast<std::uint8_t>(found.pair.class_b));
    sets.priority[0] = 0.8f;
    sets.item_class[0] = static_cast<std::uint8_t>(found.pair.class_a);
    sets.query[0] = 0.5f;
    Activations<double> activations;
    forward(convert_parameters<double>(trained), sets.view(), AttentionTransform{}, activations);
    EXPECT_NEAR(activations.attention.data()[0], weight_of_a(found.d, items), 1e-12);
    return predicted_class(std::span<const double>(activations.class_logits.data(), 10));
  };
  const int first = static_cast<int>(*found.first_error);
  EXPECT_EQ(predict(first - 1), found.pair.class_a);
  EXPECT_EQ(predict(first), found.predicted_there);
  EXPECT_NE(found.predicted_there, found.pair.class_a);
}

TEST(Corollary, RefusesWhatIsNoPair) {
  EXPECT_THROW(corollary_of(head(), {.priority_a = 0.2, .priority_b = 0.2}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.class_a = 1, .class_b = 1}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.class_a = 10}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.theta = 0}), std::invalid_argument);
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
  EXPECT_NE(figure.sentence.text().find("All 8 sets keep within"), std::string::npos) << figure.sentence.text();
  EXPECT_NE(figure.plots[0].subtitle.text().find(", θ = 1, "), std::string::npos);
  EXPECT_NE(bounds_figure(rows, 0.5).plots[0].subtitle.text().find(", θ = 0.50, "), std::string::npos);
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
  EXPECT_TRUE(figure.plots[0].subtitle.text().ends_with("; not " + unseen)) << figure.plots[0].subtitle.text();
  EXPECT_EQ(figure.sentence, bounds_sentence(std::vector<BoundsRow>{row}) + " Not " + unseen + ".");
}

// It was an axis of fifty decades on which all that happens took up the last tenth.
TEST(CorollaryFigure, BeginsWhereTheWeightBeginsToFall) {
  Corollary corollary = corollary_of(head(), {});
  corollary.d = 104.5;
  corollary.first_error = 3e45;
  corollary.curve = {{1, 1, 1}, {1e50, 1e-5, 0}};
  const LinePlot plot = corollary_figure(corollary).plots[0];
  EXPECT_EQ(plot.x.low, 1e42);
  EXPECT_EQ(plot.x.high, 1e50);
  EXPECT_LT(1 - weight_of_a(corollary.d, plot.x.low), 1e-3);
  corollary.d = 5;
  corollary.first_error = 1;
  EXPECT_EQ(corollary_figure(corollary).plots[0].x.low, 1);
}

TEST(CorollaryFigure, NamesTheFormatsAndTheFirstError) {
  Corollary corollary = corollary_of(head(), {});
  corollary.predicted_of_a = corollary.pair.class_a;
  corollary.first_error = 42;
  corollary.weight_there = 0.25;
  const Figure figure = corollary_figure(corollary);
  ASSERT_EQ(figure.tables.size(), 1u);
  EXPECT_EQ(figure.tables[0].rows.size(), 3u);
  EXPECT_EQ(figure.plots[0].lines.size(), 4u);
  EXPECT_NE(figure.sentence.text().find("first errs at n = 42, where a still has weight 0.25"),
            std::string::npos)
      << figure.sentence.text();
  corollary.first_error = std::nullopt;
  EXPECT_NE(corollary_figure(corollary).sentence.text().find("never errs"), std::string::npos);
  EXPECT_FALSE(slope_plot({}, 16, 1).y.high <= slope_plot({}, 16, 1).y.low);
}

}  // namespace
}  // namespace dispersion

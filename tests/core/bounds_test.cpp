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
  EXPECT_EQ(weight_of_a(-1e4, 1), 1);  // where exp(-d) is infinite
  EXPECT_EQ(weight_of_a(-1e4, 2), 0);
  // Where n is no double: with log n = d the weight is a half.
  EXPECT_DOUBLE_EQ(weight_of_a(5000, item_count_of_log(5000)), 0.5);
  EXPECT_FALSE(item_count_of_log(5000).items);
  EXPECT_NEAR(item_count_of_log(5000).log10(), 2171.4724, 1e-4);
}

// From weight < epsilon: n > 1 + (1 / epsilon - 1) exp(d). For a d of 5.69: bf16 from 7.6e4, fp16
// from 6e5, fp32 from 5e9 items.
TEST(Corollary, TheWeightFallsBelowFormatsWhereTheFormulaSays) {
  const Corollary corollary = corollary_of(head(), {});
  const std::array<const char*, 3> names = {"fp32", "bf16", "fp16"};
  for (std::size_t i = 0; i < 3; ++i) {
    const FormatLimit& limit = corollary.limits[i];
    EXPECT_EQ(limit.format.name, names[i]);
    const double exact = 1 + (1 / limit.format.epsilon - 1) * std::exp(corollary.d);
    ASSERT_TRUE(limit.first.items);
    EXPECT_NEAR(*limit.first.items, exact, 1.5);
    EXPECT_DOUBLE_EQ(limit.first.log10(), std::log10(*limit.first.items));
    EXPECT_LT(weight_of_a(corollary.d, *limit.first.items), limit.format.epsilon);
    EXPECT_GE(weight_of_a(corollary.d, *limit.first.items - 1), limit.format.epsilon);
  }
  EXPECT_NEAR(std::exp(5.69) / 0x1p-8, 7.6e4, 1e3);
}

// Beyond exp(delta / theta) / epsilon, with the spread delta >= 0 of the two logits, the proof says
// that every weight is below epsilon: also where b has the larger logit, and a's weight is lost
// long before.
TEST(Corollary, BeyondTheProofsCountAllWeightsAreBelowEpsilon) {
  bool negative = false;
  for (const double theta : {0.01, 1.0, 100.0}) {
    for (const int class_b : {1, 2, 5}) {
      const Corollary c = corollary_of(head(), {.class_b = class_b, .theta = theta});
      negative |= c.d < 0;
      for (const FormatLimit& limit : c.limits) {
        ASSERT_TRUE(limit.of_proof.items);
        const double items = *limit.of_proof.items * (1 + 1e-12) + 1;
        EXPECT_LE(weight_of_a(c.d, items), limit.format.epsilon);
        // The weight of one b is (1 - that of a) / (n - 1).
        EXPECT_LE((1 - weight_of_a(c.d, items)) / (items - 1), limit.format.epsilon * (1 + 1e-9));
        EXPECT_DOUBLE_EQ(*limit.of_proof.items, std::exp(std::abs(c.d)) / limit.format.epsilon);
      }
    }
  }
  EXPECT_TRUE(negative);
}

// The gap between weights "below the machine epsilon" and "the weighted sum will reduce to
// g(f(v_b))" in the proof: where a's weight falls below fp32's unit roundoff, some of the pooled
// numbers differ in fp32 from those of b.
TEST(Corollary, BelowTheUnitRoundoffPooledNumbersStillDiffer) {
  GoldenFolder golden(golden_folder());
  const Parameters<float> trained = read_parameters(golden.file("trained.safetensors"), "");
  const Corollary c = corollary_of(trained, {});
  const auto weight = static_cast<float>(weight_of_a(c.d, 2 * c.limits[0].first.items.value()));
  ASSERT_LT(weight, 0x1p-24F);
  const std::array<float, 2> priority = {0.8F, 0.2F};
  const std::array<std::uint8_t, 2> item_class = {0, 1};
  const float query = 0.5F;
  const std::int32_t label = 0;
  Activations<float> activations;
  forward(trained, {1, 2, priority.data(), item_class.data(), &query, &label}, AttentionTransform{},
          activations);
  const int width = trained.shape.width;
  const float* a = activations.item_embedding.data();
  const float* b = a + width;
  int differ = 0;
  for (int i = 0; i < width; ++i)
    differ += weight * a[i] + (1 - weight) * b[i] != b[i] ? 1 : 0;
  EXPECT_GT(differ, 0);
  EXPECT_LT(differ, width);
}

// The closed form against a set that is written out: the trained head of the golden data, with
// priorities so near to each other that it errs on a set that fits into memory.
TEST(Corollary, TheErrorIsThatOfARealSet) {
  GoldenFolder golden(golden_folder());
  const Parameters<float> trained = read_parameters(golden.file("trained.safetensors"), "");
  Corollary found;
  const auto error_of = [](const Corollary& c) {
    return c.first_error && c.first_error->items ? *c.first_error->items : 1e300;
  };
  for (double b = 0.5; b < 0.8 && error_of(found) >= 5000; b += 0.01)
    found = corollary_of(trained, {.priority_b = b, .class_a = 3, .class_b = 7});
  ASSERT_TRUE(found.search_complete);
  ASSERT_GT(error_of(found), 2);
  ASSERT_LT(error_of(found), 5000);
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
  const int first = static_cast<int>(error_of(found));
  EXPECT_EQ(predict(first - 1), found.pair.class_a);
  EXPECT_EQ(predict(first), found.predicted_there);
  EXPECT_NE(found.predicted_there, found.pair.class_a);
}

// A head of width 2 without attention logits, so that the weight w of a is 1 / n. It pools (20 w,
// 20 (1 - w)); the logit of class 0 is GELU(20 w - 10) + GELU(10 - 20 w), which is 10 at both ends
// and 0 in the middle, and that of class 1 is `other`.
Parameters<float> head_of_two_numbers(float other) {
  Parameters<float> head(HeadShape{.width = 2, .classes = 10});
  std::ranges::fill(head.values, 0.0F);
  // psi_x: classes 0 and 1 become (20, 0) and (0, 20).
  head.tensor(TensorId::kItem0Kernel)[2] = 20;
  head.tensor(TensorId::kItem0Kernel)[5] = 20;
  for (const TensorId id : {TensorId::kItem1Kernel, TensorId::kValueKernel, TensorId::kOutKernel,
                            TensorId::kReadout0Kernel}) {
    head.tensor(id)[0] = 1;
    head.tensor(id)[3] = 1;
  }
  std::ranges::fill(head.tensor(TensorId::kReadout0Bias), -10.0F);
  head.tensor(TensorId::kReadout1Kernel)[0] = 1;
  head.tensor(TensorId::kReadout1Kernel)[10] = 1;
  std::ranges::fill(head.tensor(TensorId::kReadout1Bias), -100.0F);
  head.tensor(TensorId::kReadout1Bias)[0] = 0;
  head.tensor(TensorId::kReadout1Bias)[1] = other;
  return head;
}

// Bisection alone finds no error, since {b, ..., b} gets the class of a.
TEST(Corollary, AnErrorBetweenRightAnswersIsFound) {
  const Corollary c = corollary_of(head_of_two_numbers(5), {});
  EXPECT_EQ(c.d, 0);
  EXPECT_EQ(c.predicted_of_a, 0);
  EXPECT_EQ(c.predicted_of_b, 0);
  ASSERT_TRUE(c.first_error);
  EXPECT_EQ(c.first_error->items, 2);  // 0 against 5
  EXPECT_EQ(c.predicted_there, 1);
  EXPECT_TRUE(c.search_complete);
  const Corollary never = corollary_of(head_of_two_numbers(-1), {});
  EXPECT_FALSE(never.first_error);
  EXPECT_TRUE(never.search_complete);
}

// d = 696.5 for the temperature 0.15 of the shipped head: the first error lies beyond all doubles
// that were searched once.
TEST(Corollary, FollowsErrorsBeyondAllDoubles) {
  GoldenFolder golden(golden_folder());
  const Parameters<float> trained = read_parameters(golden.file("trained.safetensors"), "");
  const Corollary one = corollary_of(trained, {});
  ASSERT_TRUE(one.first_error);
  ASSERT_EQ(one.predicted_of_b, 1);
  for (const double theta : {0.15, 0.01, 1e-6}) {
    const Corollary c = corollary_of(trained, {.theta = theta});
    ASSERT_TRUE(c.first_error) << theta;
    EXPECT_TRUE(c.search_complete);
    EXPECT_NE(c.predicted_there, 0);
    // The weight at which it errs does not depend on theta.
    EXPECT_NEAR(c.weight_there / one.weight_there, 1, 1e-4);
    if (c.d < 700) continue;
    EXPECT_FALSE(c.first_error->items);
    EXPECT_FALSE(c.limits[0].first.items);
    const double odds = std::log(1 / one.weight_there - 1);
    EXPECT_NEAR(c.first_error->log10(), (c.d + odds) / std::log(10.0), 1e-3 + 1e-9 * c.d);
    EXPECT_NEAR(c.curve.back().items / 1e300, 1, 1e-9);
    EXPECT_EQ(corollary_figure(c).plots[0].lines.size(), 0u);
  }
}

TEST(Corollary, RefusesWhatIsNoPair) {
  EXPECT_THROW(corollary_of(head(), {.priority_a = 0.2, .priority_b = 0.2}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.class_a = 1, .class_b = 1}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.class_a = 10}), std::invalid_argument);
  EXPECT_THROW(corollary_of(head(), {.theta = 0}), std::invalid_argument);
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

// It was an axis of fifty decades on which all that happens took up the last tenth.
TEST(CorollaryFigure, BeginsWhereTheWeightBeginsToFall) {
  Corollary corollary = corollary_of(head(), {});
  corollary.d = 104.5;
  corollary.first_error = item_count(3e45);
  corollary.curve = {{1, 1, 1}, {1e50, 1e-5, 0}};
  const LinePlot plot = corollary_figure(corollary).plots[0];
  EXPECT_EQ(plot.x.low, 1e42);
  EXPECT_EQ(plot.x.high, 1e50);
  EXPECT_LT(1 - weight_of_a(corollary.d, plot.x.low), 1e-3);
  corollary.d = 5;
  corollary.first_error = item_count(1);
  EXPECT_EQ(corollary_figure(corollary).plots[0].x.low, 1);
}

TEST(CorollaryFigure, NamesTheFormatsAndTheFirstError) {
  Corollary corollary = corollary_of(head(), {});
  corollary.predicted_of_a = corollary.pair.class_a;
  corollary.first_error = item_count(42);
  corollary.weight_there = 0.25;
  const Figure figure = corollary_figure(corollary);
  ASSERT_EQ(figure.tables.size(), 1u);
  EXPECT_EQ(figure.tables[0].rows.size(), 3u);
  EXPECT_EQ(figure.plots[0].lines.size(), 4u);
  const auto says = [&](const char* words) {
    return corollary_figure(corollary).sentence.text().find(words) != std::string::npos;
  };
  EXPECT_TRUE(says("this head first errs at n = 42, where a has weight 0.25"));
  EXPECT_TRUE(says("falls below the unit roundoff of fp32 at n = "));
  corollary.search_complete = false;
  EXPECT_TRUE(says("a search found the first error at n = 42"));
  corollary.first_error = item_count_of_log(1000);
  EXPECT_TRUE(says("at n = 10^434.3, where"));
  EXPECT_EQ(corollary_figure(corollary).plots[0].lines.size(), 3u);
  EXPECT_TRUE(corollary_figure(corollary).plots[0].subtitle.text().ends_with(
      "; beyond 10³⁰⁰: first error"));
  corollary.first_error = std::nullopt;
  EXPECT_TRUE(says("A search found no error"));
  corollary.search_complete = true;
  EXPECT_TRUE(says("never errs"));
  EXPECT_FALSE(slope_plot({}, 16, 1).y.high <= slope_plot({}, 16, 1).y.low);
}

}  // namespace
}  // namespace dispersion

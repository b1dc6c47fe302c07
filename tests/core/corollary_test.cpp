#include "core/experiment/corollary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/attention/softmax.h"
#include "core/experiment/bounds.h"
#include "core/figure/figures.h"
#include "core/head/forward.h"
#include "core/verify/head_inputs.h"
#include "tests/core/golden_copy.h"

namespace dispersion {
namespace {

Parameters<float> head() {
  return initial_parameters(HeadShape{.width = 16, .classes = 10}, 3);
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
  for (const double theta : {0.15, 0.01, 1e-6, 1e-15, 1e-25}) {
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

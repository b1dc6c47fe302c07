#include "core/attention/transforms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "core/attention/softmax.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();

std::vector<double> random_logits(int count, double scale, std::uint32_t seed) {
  std::vector<double> logits;
  for (int i = 0; i < count; ++i) {
    const auto block = draw_block(seed, RandomPurpose::kEvaluation,
                                  {0, 0, static_cast<std::uint32_t>(i), Draw::kItem});
    logits.push_back(scale * static_cast<double>(uniform_from_24_bits(block.word[0])));
  }
  return logits;
}

double sum(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::vector<double> weights_of(const std::vector<double>& logits,
                               const AttentionTransform& transform) {
  std::vector<double> weights(logits.size(), 9);
  attention_weights<double>(logits, transform, weights);
  return weights;
}

std::vector<double> weights_of(const std::vector<double>& logits, TransformId id) {
  return weights_of(logits, usual_transform(id));
}

AttentionTransform with_setting(TransformId id, double value) {
  AttentionTransform transform = usual_transform(id);
  transform.settings[0] = value;
  return transform;
}

int support(const std::vector<double>& weights) {
  return static_cast<int>(std::ranges::count_if(weights, [](double w) { return w > 0; }));
}

// The learned tensors of a transform at their start, one after the other.
std::vector<double> learned_start(const TransformDefinition& definition) {
  std::vector<double> values;
  for (const LearnedTensor& tensor : definition.learned)
    values.insert(values.end(), tensor.size(), static_cast<double>(tensor.start));
  return values;
}

// What every transform has to do, also one that is added to the table tomorrow.
class EveryTransform : public testing::TestWithParam<const TransformDefinition*> {
 protected:
  const TransformDefinition& definition() const { return *GetParam(); }
  // With the usual settings and others, and two temperatures.
  std::vector<AttentionTransform> variants() const {
    std::vector<AttentionTransform> all = {usual_transform(definition().id)};
    for (std::size_t i = 0; i < definition().settings.size(); ++i) {
      for (const double value : {definition().settings[i].low, 5.0}) {
        all.push_back(all.front());
        all.back().settings[i] = value;
      }
    }
    if (definition().has_theta) {
      all.push_back(all.front());
      all.back().theta = 0.6;
    }
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Table, EveryTransform,
                         testing::ValuesIn(transform_definitions().begin(),
                                           transform_definitions().end()),
                         [](const auto& instance) {
                           std::string name(instance.param->name);
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

TEST_P(EveryTransform, SaysWhatItIsAndWhatCanBeSet) {
  for (const std::string_view text : {definition().name, definition().label, definition().words,
                                      definition().help, definition().source})
    EXPECT_FALSE(text.empty());
  EXPECT_LE(definition().settings.size(), std::size_t{kMostTransformSettings});
  for (const TransformSetting& setting : definition().settings) {
    EXPECT_LT(setting.low, setting.high);
    EXPECT_LE(setting.low, setting.usual);
    EXPECT_GE(setting.high, setting.usual);
    EXPECT_FALSE(setting.name.empty() || setting.label.empty() || setting.help.empty());
  }
  int same_name = 0;
  int same_id = 0;
  int same_look = 0;
  for (const TransformDefinition* other : transform_definitions()) {
    same_name += other->name == definition().name || other->label == definition().label;
    same_id += other->id == definition().id;
    same_look += other->colour == definition().colour && other->mark == definition().mark;
  }
  EXPECT_EQ(std::tuple(same_name, same_id, same_look), std::tuple(1, 1, 1));
  EXPECT_EQ(&transform_definition(definition().id), &definition());
}

TEST_P(EveryTransform, IsReadFromTheTextThatItWrites) {
  for (AttentionTransform transform : variants()) {
    transform.theta = 1;  // has an option of its own
    EXPECT_NO_THROW(validate(transform));
    EXPECT_EQ(parse_transform(transform_text(transform)), transform) << transform_text(transform);
  }
  EXPECT_EQ(transform_text(usual_transform(definition().id)), definition().name);
}

TEST_P(EveryTransform, WeightsAreSharesAndKeepTheOrderOfTheLogits) {
  for (const AttentionTransform& transform : variants()) {
    for (const double scale : {0.0, 0.01, 1.0, 30.0, 500.0}) {
      for (const int count : {1, 2, 15, 16, 33, 700}) {
        const std::vector<double> logits = random_logits(count, scale, 3);
        const std::vector<double> weights = weights_of(logits, transform);
        EXPECT_NEAR(sum(weights), 1, 1e-12);
        std::vector<float> narrow(logits.size());
        attention_weights<float>(std::vector<float>(logits.begin(), logits.end()), transform,
                                 narrow);
        for (std::size_t i = 0; i < logits.size(); ++i) {
          EXPECT_GE(weights[i], 0);
          // Logits of 500 are known to 3e-5 in float.
          EXPECT_NEAR(narrow[i], weights[i], 2e-6 + 1e-6 * scale / transform.theta);
          for (std::size_t j = 0; j < i && count < 40; ++j)
            EXPECT_TRUE(!(logits[i] > logits[j]) || weights[i] >= weights[j]);
        }
      }
    }
  }
}

TEST_P(EveryTransform, MaskedItemsGetNothingAndChangeNothing) {
  for (const AttentionTransform& transform : variants()) {
    const std::vector<double> logits = random_logits(20, 4, 5);
    const std::vector<double> expected = weights_of(logits, transform);
    std::vector<double> masked = {kMasked, kMasked};
    masked.insert(masked.end(), logits.begin(), logits.end());
    masked.insert(masked.begin() + 9, kMasked);
    std::vector<double> weights = weights_of(masked, transform);
    for (const std::size_t at : {9, 1, 0}) {
      EXPECT_EQ(weights[at], 0);
      weights.erase(weights.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(weights[i], expected[i], 1e-15);
    EXPECT_EQ(weights_of({kMasked, kMasked, kMasked}, transform), std::vector<double>(3, 0));
  }
}

TEST_P(EveryTransform, TellsTheEntropyOfItsWeights) {
  for (const AttentionTransform& transform : variants()) {
    const std::vector<double> logits = random_logits(300, 6, 7);
    std::vector<double> weights(logits.size());
    const TransformResult result = attention_weights<double>(logits, transform, weights);
    EXPECT_NEAR(result.entropy, entropy<double>(weights), 1e-9);
    EXPECT_EQ(result.repeats, -1);
    if (definition().beta == nullptr) continue;
    EXPECT_EQ(result.beta, softmax_beta(transform, result.entropy_before, 300));
    std::vector<double> softmaxed(logits.size());
    softmax<double>(logits, result.beta / transform.theta, softmaxed);
    for (std::size_t i = 0; i < logits.size(); ++i)
      EXPECT_NEAR(weights[i], softmaxed[i], 1e-15);
  }
}

TEST_P(EveryTransform, LogitsThatAreNotFiniteShow) {
  for (const double bad : {std::numeric_limits<double>::infinity()}) {
    const std::vector<double> weights = weights_of({1, bad, 2}, usual_transform(definition().id));
    const bool all_finite =
        std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); });
    // Hard attention may well put everything on an infinite logit.
    EXPECT_TRUE(!all_finite || weights == (std::vector<double>{0, 1, 0})) << weights[0];
  }
}

// Many rows and transforms in one call: the same bits as one by one, and what repeats says is so.
TEST_P(EveryTransform, RowsOfOneCallAreThoseOfManyCalls) {
  std::vector<AttentionTransform> transforms = variants();
  transforms.insert(transforms.begin(), usual_transform(TransformId::kSoftmax));
  constexpr std::size_t kRows = 3;
  constexpr std::size_t kItems = 40;
  std::vector<float> logits;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (const double logit : random_logits(kItems, row == 1 ? 60 : 2, row))
      logits.push_back(static_cast<float>(logit));
  }
  std::vector<float> weights(transforms.size() * logits.size());
  std::vector<TransformResult> results(transforms.size() * kRows);
  attention_weights<float>({logits.data(), kRows, kItems}, transforms, weights.data(), results);
  for (std::size_t t = 0; t < transforms.size(); ++t) {
    for (std::size_t row = 0; row < kRows; ++row) {
      std::vector<float> alone(kItems);
      const TransformResult result = attention_weights<float>(
          std::span(logits).subspan(row * kItems, kItems), transforms[t], alone);
      const auto together = std::span(weights).subspan((t * kRows + row) * kItems, kItems);
      EXPECT_TRUE(std::ranges::equal(together, alone)) << t << " " << row;
      const TransformResult& found = results[t * kRows + row];
      EXPECT_EQ(found.entropy, result.entropy);
      EXPECT_EQ(found.beta, result.beta);
      if (found.repeats < 0) continue;
      const std::size_t first = static_cast<std::size_t>(found.repeats) * kRows + row;
      EXPECT_TRUE(std::ranges::equal(together, std::span(weights).subspan(first * kItems, kItems)));
    }
  }
}

// Off the kinks, where a small change changes neither the support nor the order.
TEST_P(EveryTransform, GradientIsThatOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  for (const AttentionTransform& transform : variants()) {
    for (const double scale : {0.5, 3.0, 20.0}) {
      std::vector<double> logits = random_logits(25, scale, 11);
      logits[4] = kMasked;
      const std::vector<double> upstream = random_logits(25, 2, 12);
      std::vector<double> weights(logits.size());
      const TransformResult result = attention_weights<double>(logits, transform, weights);
      std::vector<double> gradient(logits.size(), 9);
      std::vector<double> learned = learned_start(definition());
      std::vector<double> learned_gradient(learned.size());
      attention_weights_backward<double>(
          transform, {logits, weights, result, {definition().learned, learned}, learned_gradient},
          BetaGradient::kThrough, upstream, gradient);
      const auto loss_at = [&](double& moved, double step) {
        const double before = moved;
        moved += step;
        std::vector<double> there(logits.size());
        attention_weights<double>(logits, transform, there, {definition().learned, learned});
        moved = before;
        EXPECT_EQ(support(there), support(weights));
        double total = 0;
        for (std::size_t j = 0; j < there.size(); ++j)
          total += upstream[j] * there[j];
        return total;
      };
      const auto slope = [&](double& moved) {
        return (loss_at(moved, kStep) - loss_at(moved, -kStep)) / (2 * kStep);
      };
      double size = 1e-9;
      for (const double g : gradient)
        size = std::max(size, std::abs(g));
      for (std::size_t i = 0; i < logits.size(); ++i) {
        const double expected = i == 4 ? 0 : slope(logits[i]);
        EXPECT_NEAR(gradient[i], expected, 2e-6 * std::max(1.0, size))
            << transform_text(transform) << " " << i;
      }
      for (std::size_t i = 0; i < learned.size(); ++i) {
        EXPECT_NEAR(learned_gradient[i], slope(learned[i]), 2e-6 * std::max(1.0, size))
            << transform_text(transform) << ", learned " << i;
      }
    }
  }
}

// The condition that makes sparsemax the projection: e_i - a_i is the same number wherever a_i > 0,
// and no more than that elsewhere.
TEST(Sparsemax, SatisfiesTheConditionsOfTheProjection) {
  for (const double scale : {0.01, 1.0, 5.0, 100.0}) {
    const std::vector<double> logits = random_logits(200, scale, 1);
    const std::vector<double> weights = weights_of(logits, TransformId::kSparsemax);
    EXPECT_NEAR(sum(weights), 1, 1e-12);
    double threshold = std::numeric_limits<double>::quiet_NaN();
    int positive = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) continue;
      if (positive++ == 0) threshold = logits[i] - weights[i];
      EXPECT_NEAR(logits[i] - weights[i], threshold, 1e-12);
    }
    EXPECT_EQ(support(weights), positive);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) {
        EXPECT_LE(logits[i], threshold + 1e-12);
      }
    }
  }
}

// For 1.5-entmax it is e_i / 2 - sqrt(a_i).
TEST(Entmax15, SatisfiesItsOptimalityConditions) {
  for (const double scale : {0.01, 1.0, 5.0, 100.0}) {
    const std::vector<double> logits = random_logits(200, scale, 2);
    const std::vector<double> weights = weights_of(logits, TransformId::kEntmax15);
    EXPECT_NEAR(sum(weights), 1, 1e-12);
    double threshold = std::numeric_limits<double>::quiet_NaN();
    int positive = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) continue;
      if (positive++ == 0) threshold = logits[i] / 2 - std::sqrt(weights[i]);
      EXPECT_NEAR(logits[i] / 2 - std::sqrt(weights[i]), threshold, 1e-12);
    }
    EXPECT_EQ(support(weights), positive);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) {
        EXPECT_LE(logits[i] / 2, threshold + 1e-12);
      }
    }
  }
}

TEST(SparseTransforms, KeepEveryItemOfAFlatRowAndOneOfASteepRow) {
  for (const TransformId id : {TransformId::kSparsemax, TransformId::kEntmax15}) {
    std::vector<double> flat(64, 3.5);
    EXPECT_EQ(support(weights_of(flat, id)), 64);
    EXPECT_NEAR(weights_of(flat, id)[13], 1.0 / 64, 1e-15);
    flat[5] = 10;
    EXPECT_EQ(support(weights_of(flat, id)), 1);
    EXPECT_EQ(weights_of(flat, id)[5], 1);
  }
}

// e = s rho with rho ~ U(0,1): (2 s / n)^(1/2) and (1.5 s / n)^(2/3) on the largest (design, fact
// 5).
TEST(SparseTransforms, DisperseAsPredictedOnEvenlySpreadItems) {
  constexpr int kItems = 16384;
  constexpr double kSlope = 40;
  std::vector<double> logits;
  for (int i = 0; i < kItems; ++i)
    logits.push_back(kSlope * (i + 0.5) / kItems);
  std::vector<double> weights = weights_of(logits, TransformId::kSparsemax);
  EXPECT_NEAR(weights.back(), std::sqrt(2 * kSlope / kItems), 0.03 * weights.back());
  weights = weights_of(logits, TransformId::kEntmax15);
  EXPECT_NEAR(weights.back(), std::pow(1.5 * kSlope / kItems, 2.0 / 3), 0.03 * weights.back());
}

// softmax(ln n e / ln n0): the paper's with n0 = e, and plain softmax of n0 items.
TEST(LogN, ScalesByTheLogarithmOfTheUnmaskedCount) {
  const std::vector<double> logits = {1.0, kMasked, 0.5, -0.25};
  const std::vector<double> weights =
      weights_of(logits, with_setting(TransformId::kLogN, std::exp(1.0)));
  EXPECT_EQ(weights[1], 0);
  EXPECT_NEAR(sum(weights), 1, 1e-15);
  EXPECT_NEAR(weights[2] / weights[0], std::pow(3.0, -0.5), 1e-15);
  EXPECT_NEAR(weights[3] / weights[0], std::pow(3.0, -1.25), 1e-15);
  const std::vector<double> sixteen = random_logits(16, 5, 1);
  EXPECT_EQ(weights_of(sixteen, TransformId::kLogN), weights_of(sixteen, TransformId::kSoftmax));
}

TEST(TopK, TakesTheLowerIndexAmongTies) {
  const auto two = with_setting(TransformId::kTopK, 2);
  EXPECT_EQ(weights_of({1, 2, kMasked, 2, 2}, two), (std::vector<double>{0, 0.5, 0, 0.5, 0}));
  EXPECT_EQ(weights_of({2, 3, 2, 2}, two)[2], 0);
  EXPECT_EQ(support(weights_of({kMasked, kMasked, 2, kMasked}, two)), 1);
}

TEST(TopK, IsSoftmaxWhenKIsLargeEnough) {
  const std::vector<double> weights =
      weights_of({0, std::log(3.0), kMasked}, with_setting(TransformId::kTopK, 100));
  EXPECT_NEAR(weights[0], 0.25, 1e-15);
  EXPECT_NEAR(weights[1], 0.75, 1e-15);
  EXPECT_EQ(weights[2], 0);
}

TEST_P(EveryTransform, IgnoresAnOffset) {
  const std::vector<float> logits = {1e6f, 1e6f + 0.5f, 1e6f - 0.25f};
  const std::vector<float> centred = {0.f, 0.5f, -0.25f};
  std::vector<float> weights(3);
  std::vector<float> expected(3);
  attention_weights<float>(logits, usual_transform(definition().id), weights);
  attention_weights<float>(centred, usual_transform(definition().id), expected);
  EXPECT_EQ(weights, expected);
}

}  // namespace
}  // namespace dispersion

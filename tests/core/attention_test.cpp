#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/attention/softmax.h"
#include "core/attention/streaming_entropy.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

std::vector<float> wave(int count, double scale, double offset = 0) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values[i] = static_cast<float>(offset + scale * std::sin(1.3 * i + 0.2 * i * i));
  }
  return values;
}

// Softmax in double by its definition.
std::vector<double> definition(const std::vector<float>& logits, double factor) {
  const double max = *std::max_element(logits.begin(), logits.end());
  std::vector<double> weights;
  for (const float e : logits)
    weights.push_back(std::exp(factor * (e - max)));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights)
    w /= sum;
  return weights;
}

double entropy_definition(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights)
    sum -= w > 0 ? w * std::log(w) : 0;
  return sum;
}

class Transforms : public testing::TestWithParam<int> {};

TEST_P(Transforms, WeightsFollowTheDefinitionAndKeepTheIdentities) {
  const int n = GetParam();
  for (const double scale : {0.0, 0.5, 3.0, 60.0}) {
    for (const double theta : {0.05, 1.0, 10.0}) {
      for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
        const std::vector<float> logits = wave(n, scale);
        std::vector<float> weights(logits.size());
        const AttentionTransform transform{kind, theta, {}};
        const TransformResult result = attention_weights<float>(
            std::span<const float>(logits), transform, std::span<float>(weights));
        const double plain_entropy = entropy_definition(definition(logits, 1 / theta));
        EXPECT_NEAR(result.entropy_before, plain_entropy, 1e-5);
        EXPECT_DOUBLE_EQ(result.beta, softmax_beta(transform, result.entropy_before, n));
        const std::vector<double> truth = definition(logits, result.beta / theta);
        double sum = 0;
        for (int i = 0; i < n; ++i) {
          EXPECT_NEAR(weights[i], truth[i], 5e-6);
          sum += weights[i];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
        EXPECT_GE(result.entropy, -1e-6);
        EXPECT_LE(result.entropy, std::log(n) + 1e-6);
        EXPECT_LE(result.entropy, result.entropy_before + 1e-5);  // the rule never disperses
        EXPECT_NEAR(result.entropy, entropy(std::span<const float>(weights)), 3e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, Transforms, testing::Values(1, 2, 5, 16, 17, 500, 16384));

TEST(Transforms, AnOffsetOfTheLogitsChangesNothing) {
  const std::vector<float> logits = wave(300, 4);
  for (const double offset : {1e4, 1e6}) {
    std::vector<float> shifted;
    std::vector<float> rounded;  // the logits the shifted ones stand for, after rounding
    for (const float e : logits) {
      shifted.push_back(static_cast<float>(e + offset));
      rounded.push_back(static_cast<float>(shifted.back() - offset));
    }
    std::vector<float> a(logits.size());
    std::vector<float> b(logits.size());
    const AttentionTransform transform{TransformId::kAdaptive, 1, {}};
    attention_weights<float>(std::span<const float>(shifted), transform, std::span<float>(a));
    attention_weights<float>(std::span<const float>(rounded), transform, std::span<float>(b));
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-6);
  }
}

TEST(Transforms, MaskedItemsGetExactlyNothing) {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  std::vector<float> logits = wave(40, 2);
  logits[0] = logits[17] = logits[39] = kMasked;
  std::vector<float> weights(logits.size());
  const AttentionTransform transform{TransformId::kAdaptive, 1, {}};
  const TransformResult result = attention_weights<float>(std::span<const float>(logits), transform,
                                                          std::span<float>(weights));
  EXPECT_TRUE(std::isfinite(result.entropy));
  for (const int i : {0, 17, 39})
    EXPECT_EQ(weights[i], 0.0f);
  std::vector<float> nothing(5, kMasked);
  std::vector<float> zero(5, 9.0f);
  attention_weights<float>(std::span<const float>(nothing), transform, std::span<float>(zero));
  EXPECT_EQ(zero, std::vector<float>(5, 0.0f));
}

TEST(Transforms, APermutationOfTheItemsPermutesTheWeights) {
  const std::vector<float> logits = wave(100, 3);
  std::vector<float> reversed(logits.rbegin(), logits.rend());
  std::vector<float> a(100);
  std::vector<float> b(100);
  const AttentionTransform transform{TransformId::kAdaptive, 1, {}};
  attention_weights<float>(std::span<const float>(logits), transform, std::span<float>(a));
  attention_weights<float>(std::span<const float>(reversed), transform, std::span<float>(b));
  for (int i = 0; i < 100; ++i)
    EXPECT_NEAR(a[i], b[99 - i], 1e-7);
}

// Figure 4 with its published numbers (design, fact 1).
TEST(AdaptiveRule, IsAWindow) {
  const AdaptiveRule rule;
  const double values[][2] = {{1, 1.270}, {2, 2.099}, {3, 2.250},
                              {4, 2.389}, {5, 2.294}, {5.5, 1.847}};
  for (const auto& [h, beta] : values)
    EXPECT_NEAR(adaptive_beta(rule, h), beta, 5e-4);
  for (const double h : {0.0, 0.5, 0.6, 0.8485, 5.9446, 6.27, 9.7, 11.78}) {
    EXPECT_EQ(adaptive_beta(rule, h), 1) << h;
  }
  EXPECT_GT(adaptive_beta(rule, 0.8487), 1);
  EXPECT_GT(adaptive_beta(rule, 5.9444), 1);
  EXPECT_NEAR(adaptive_beta(rule, 4.412), 2.4214, 5e-5);
  EXPECT_NEAR(adaptive_beta_slope(rule, 4.412), 0, 1e-3);
  EXPECT_LT(polynomial(rule, 6.27), 0);  // where the appendix's form would turn negative
  EXPECT_EQ(adaptive_beta_slope(rule, 0.7), 0);
  for (const double h : {1.0, 2.5, 5.0}) {
    const double difference =
        (adaptive_beta(rule, h + 1e-6) - adaptive_beta(rule, h - 1e-6)) / 2e-6;
    EXPECT_NEAR(adaptive_beta_slope(rule, h), difference, 1e-7);
  }
}

template <class Scalar>
StreamingEntropy<Scalar> stream(const std::vector<float>& logits, std::size_t first,
                                std::size_t last) {
  StreamingEntropy<Scalar> state;
  for (std::size_t i = first; i < last; ++i)
    state.push(static_cast<Scalar>(logits[i]));
  return state;
}

TEST(StreamingEntropy, EqualsTheDirectSumAtAnyOffset) {
  for (const double offset : {0.0, 1e4, 1e6}) {
    const std::vector<float> logits = wave(2000, 3, offset);
    const double truth = entropy_definition(definition(logits, 1));
    const std::size_t n = logits.size();
    EXPECT_NEAR(stream<double>(logits, 0, n).entropy(), truth, 1e-12);
    EXPECT_NEAR(stream<float>(logits, 0, n).entropy(), truth, 3e-5);
  }
}

TEST(StreamingEntropy, MergeIsAssociativeToRounding) {
  const std::vector<float> logits = wave(900, 12);
  const auto a = stream<double>(logits, 0, 100);
  const auto b = stream<double>(logits, 100, 350);
  const auto c = stream<double>(logits, 350, 900);
  auto left = a;
  left.merge(b);
  left.merge(c);
  auto right = b;
  right.merge(c);
  auto whole = a;
  whole.merge(right);
  EXPECT_NEAR(left.entropy(), whole.entropy(), 1e-13);
  EXPECT_NEAR(left.entropy(), stream<double>(logits, 0, 900).entropy(), 1e-12);
  StreamingEntropy<double> empty;
  whole.merge(empty);
  empty.merge(whole);
  EXPECT_EQ(empty.entropy(), whole.entropy());
  EXPECT_EQ(StreamingEntropy<float>{}.entropy(), 0.0f);
}

TEST(StreamingEntropy, SkipsMaskedItems) {
  StreamingEntropy<float> state;
  state.push(-std::numeric_limits<float>::infinity());
  state.push(1.0f);
  state.push(-std::numeric_limits<float>::infinity());
  state.push(1.0f);
  EXPECT_NEAR(state.entropy(), std::log(2.0), 1e-6);
}

}  // namespace
}  // namespace dispersion

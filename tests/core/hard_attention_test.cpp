#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"

namespace dispersion {
namespace {

const AttentionTransform kHard{TransformId::kHard, 1, {}};
constexpr float kMasked = -std::numeric_limits<float>::infinity();

TEST(HardAttention, TiedLargestLogitsShareTheWeight) {
  const std::vector<float> logits = {1, 3, kMasked, 3, 2.9f, 3};
  std::vector<float> weights(logits.size(), 9);
  const TransformResult result = attention_weights<float>(logits, kHard, weights);
  const float third = 1.0f / 3;
  EXPECT_EQ(weights, (std::vector<float>{0, third, 0, third, 0, third}));
  EXPECT_DOUBLE_EQ(result.entropy, std::log(3.0));
  EXPECT_EQ(result.beta, std::numeric_limits<double>::infinity());
  EXPECT_THROW(softmax_beta(kHard, 2, 6), std::invalid_argument);
}

TEST(HardAttention, IsTheLimitOfLowTemperature) {
  const std::vector<double> logits = {0.3, -1, 0.9, 0.9, 0.85};
  std::vector<double> hard(logits.size());
  std::vector<double> cold(logits.size());
  const TransformResult at_zero = attention_weights<double>(logits, kHard, hard);
  const TransformResult near_zero =
      attention_weights<double>(logits, {TransformId::kSoftmax, 1e-3, {}}, cold);
  for (std::size_t i = 0; i < logits.size(); ++i)
    EXPECT_NEAR(hard[i], cold[i], 1e-12);
  EXPECT_NEAR(at_zero.entropy, near_zero.entropy, 1e-12);
}

TEST(HardAttention, NothingIsLeftOfAnAllMaskedRow) {
  const std::vector<float> logits(3, kMasked);
  std::vector<float> weights(3, 9);
  attention_weights<float>(logits, kHard, weights);
  EXPECT_EQ(weights, std::vector<float>(3, 0));
}

TEST(HardAttention, HasNoGradient) {
  const std::vector<double> logits = {1, 2, 0};
  std::vector<double> weights(3);
  const TransformResult result = attention_weights<double>(logits, kHard, weights);
  const std::vector<double> upstream = {3, -1, 2};
  std::vector<double> gradient(3, 9);
  attention_weights_backward<double>(kHard, {logits, weights, result}, BetaGradient::kThrough,
                                     upstream, gradient);
  EXPECT_EQ(gradient, std::vector<double>(3, 0));
}

// With one largest logit the head reads that item alone.
TEST(HardAttention, EvaluatorPutsAllWeightOnTheLargestLogit) {
  const auto backend = make_cpu_backend(1);
  const Parameters<float> head = initial_parameters({.width = 16, .classes = 10}, 3);
  for (const int items : {20, 1500}) {
    const ItemSets sets = frame_sets(5, items);
    const std::array<AttentionTransform, 2> transforms = {AttentionTransform{}, kHard};
    const SetEvaluation evaluation = backend->evaluate(head, sets.view(), transforms);
    for (int set = 0; set < sets.sets; ++set) {
      if (evaluation.transforms[1].entropy[set] > 0) continue;  // a tie
      const bool right = evaluation.argmax_logit[set] == evaluation.argmax_priority[set];
      EXPECT_EQ(evaluation.transforms[1].weight_on_max[set], right ? 1.0f : 0.0f);
      EXPECT_EQ(evaluation.transforms[1].beta[set], std::numeric_limits<float>::infinity());
    }
  }
}

TEST(HardAttention, AFrameShowsTheSameWeights) {
  const ItemSets sets = frame_sets(1, 16);
  std::vector<float> logits(kFrameSets * 16);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = static_cast<float>(i % 16 == 3 || i % 16 == 7 ? 5 : i % 5);
  const AttentionFrame frame = apply_transform(make_frame_logits(sets, logits), kHard);
  for (int set = 0; set < kFrameSets; ++set) {
    double sum = 0;
    for (int column = 0; column < 16; ++column)
      sum += frame.weights[set * 16 + column];
    EXPECT_NEAR(sum, 1, 1e-7);
    EXPECT_FLOAT_EQ(frame.entropy[set], std::log(2.0f));
  }
  EXPECT_EQ(frame.mean_theta, 0);
}

}  // namespace
}  // namespace dispersion

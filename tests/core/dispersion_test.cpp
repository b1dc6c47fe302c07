#include "core/experiment/dispersion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

// Logits that favour large priorities, with noise, over a spread of `spread`.
FrameLogits noisy_frame(int items, double spread) {
  const ItemSets sets = frame_sets(5, items);
  std::vector<float> logits(sets.priority.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double noise = std::sin(static_cast<double>(i) * 12.9898);
    logits[i] = static_cast<float>(spread * (static_cast<double>(sets.priority[i]) + 0.1 * noise));
  }
  return make_frame_logits(sets, std::move(logits));
}

std::vector<AttentionTransform> several_transforms() {
  std::vector<AttentionTransform> transforms;
  for (const TransformId id : {TransformId::kSoftmax, TransformId::kAdaptive}) {
    for (const double theta : {0.05, 0.7, 1.0, 10.0}) {
      transforms.push_back({.id = id, .theta = theta, .rule = {}});
    }
  }
  for (const TransformDefinition* definition : transform_definitions())
    transforms.push_back(usual_transform(definition->id));
  return transforms;
}

TEST(Dispersion, FrameSetsAreTheFirstEvaluationSets) {
  const ItemSets frame = frame_sets(4, 50);
  ItemSets sets;
  sets.resize(100, 50);
  draw_item_sets(4, RandomPurpose::kEvaluation, 50, 0, sets);
  ASSERT_EQ(frame.sets, kFrameSets);
  EXPECT_TRUE(std::equal(frame.priority.begin(), frame.priority.end(), sets.priority.begin()));
  EXPECT_TRUE(std::equal(frame.label.begin(), frame.label.end(), sets.label.begin()));
}

TEST(Dispersion, ShowsTheLargestPrioritiesAscending) {
  for (const int items : {1, 5, 16, 17, 1000}) {
    const ItemSets sets = frame_sets(9, items);
    const FrameLogits frame = make_frame_logits(sets, std::vector<float>(sets.priority.size()));
    ASSERT_EQ(frame.columns, std::min(items, kFrameItems));
    const auto columns = static_cast<std::size_t>(frame.columns);
    for (std::size_t set = 0; set < kFrameSets; ++set) {
      const auto row = std::span(sets.priority).subspan(set * items, items);
      std::vector<float> sorted(row.begin(), row.end());
      std::ranges::sort(sorted);
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t cell = set * columns + column;
        const auto item = static_cast<std::size_t>(frame.shown[cell]);
        EXPECT_EQ(frame.shown_priority[cell], sorted[sorted.size() - columns + column]);
        EXPECT_EQ(frame.shown_priority[cell], row[item]);
        EXPECT_EQ(frame.shown_class[cell], sets.item_class[set * items + item]);
      }
      EXPECT_EQ(frame.shown_class[(set + 1) * columns - 1], sets.label[set]);
    }
  }
}

TEST(Dispersion, TheFirstOfEqualMaximaStandsOnTheRight) {
  ItemSets sets = frame_sets(9, 30);
  std::ranges::fill(sets.priority, 0.25f);
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    sets.priority[set * 30 + 20] = 0.5f;
    sets.priority[set * 30 + 11] = 0.5f;
  }
  const FrameLogits frame = make_frame_logits(sets, std::vector<float>(sets.priority.size()));
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    EXPECT_EQ(frame.shown[set * 16 + 15], 11);
    EXPECT_EQ(frame.shown[set * 16 + 14], 20);
    // The others are equal: the first fourteen of them, the first one rightmost.
    EXPECT_EQ(frame.shown[set * 16 + 13], 0);
    EXPECT_EQ(frame.shown[set * 16], 14);
  }
}

TEST(Dispersion, RefusesLogitsOfAnotherSize) {
  const ItemSets sets = frame_sets(9, 30);
  EXPECT_THROW(make_frame_logits(sets, std::vector<float>(29 * kFrameSets)), std::invalid_argument);
}

TEST(Dispersion, ATransformGivesTheWeightsOfAttention) {
  for (const int items : {1, 3, 16, 100, 5000}) {
    const FrameLogits frame = noisy_frame(items, 40);
    const auto columns = static_cast<std::size_t>(frame.columns);
    for (const AttentionTransform& transform : several_transforms()) {
      const AttentionFrame shown = apply_transform(frame, transform);
      EXPECT_EQ(shown.transform, transform);
      for (std::size_t set = 0; set < kFrameSets; ++set) {
        const auto logits = std::span<const float>(frame.logits).subspan(set * items, items);
        std::vector<float> weights(logits.size());
        const TransformResult result = attention_weights(logits, transform, std::span(weights));
        EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-5);
        for (std::size_t column = 0; column < columns; ++column) {
          const float expected =
              weights[static_cast<std::size_t>(frame.shown[set * columns + column])];
          EXPECT_NEAR(shown.weights[set * columns + column], expected, 2e-6f + 2e-5f * expected);
        }
        EXPECT_NEAR(shown.entropy[set], entropy(std::span<const float>(weights)), 1e-4);
        // A single item leaves log n nothing to tell apart: its beta is 0.
        const double theta = transform.theta / result.beta;
        if (std::isinf(theta)) {
          EXPECT_EQ(shown.theta[set], theta);
        } else {
          EXPECT_NEAR(shown.theta[set], theta, 1e-5 * transform.theta);
        }
        EXPECT_GE(shown.entropy[set], -1e-6f);
        EXPECT_LE(shown.entropy[set], std::log(items) + 1e-5);
      }
    }
  }
}

TEST(Dispersion, MeansAreOverTheSets) {
  const FrameLogits frame = noisy_frame(200, 25);
  const AttentionFrame shown =
      apply_transform(frame, {.id = TransformId::kAdaptive, .theta = 1, .rule = {}});
  double weight = 0, entropy_sum = 0, theta = 0, spread = 0;
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    weight += static_cast<double>(shown.weights[set * 16 + 15]);
    entropy_sum += static_cast<double>(shown.entropy[set]);
    theta += static_cast<double>(shown.theta[set]);
    spread += static_cast<double>(shown.logit_spread[set]);
    const auto logits = std::span(frame.logits).subspan(set * 200, 200);
    const auto [low, high] = std::ranges::minmax(logits);
    EXPECT_FLOAT_EQ(shown.logit_spread[set], high - low);
  }
  EXPECT_NEAR(shown.mean_weight_on_max, weight / kFrameSets, 1e-6);
  EXPECT_NEAR(shown.mean_entropy, entropy_sum / kFrameSets, 1e-6);
  EXPECT_NEAR(shown.mean_theta, theta / kFrameSets, 1e-6);
  EXPECT_NEAR(shown.mean_logit_spread, spread / kFrameSets, 1e-5);
}

TEST(Dispersion, AFrameAndARowOfTheSameSetsAgree) {
  const auto backend = make_cpu_backend(1);
  const Parameters<float> head = initial_parameters({.width = 16, .classes = 10}, 3);
  const ItemSets sets = frame_sets(1, 64);
  const std::vector<AttentionTransform> transforms = {
      {.id = TransformId::kAdaptive, .theta = 0.2, .rule = {}}};
  std::vector<float> logits;
  SizeRow row{.transform = transforms[0]};
  add_evaluation(backend->evaluate_with_logits(head, sets.view(), transforms, logits), sets.label,
                 0, row);
  const AttentionFrame frame = apply_transform(make_frame_logits(sets, logits), transforms[0]);
  EXPECT_NEAR(frame.mean_entropy, row.mean_entropy(), 1e-5);
  EXPECT_NEAR(frame.mean_weight_on_max, row.mean_weight_on_max(), 1e-6);
  EXPECT_NEAR(frame.mean_theta, row.mean_theta(), 1e-6);
  EXPECT_NEAR(frame.mean_logit_spread, row.mean_logit_spread(), 1e-5);
}

}  // namespace
}  // namespace dispersion

#include "core/attention/other_maps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

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

// The condition that makes sparsemax the projection: e_i - a_i is the same number wherever a_i > 0,
// and no more than that elsewhere.
TEST(Sparsemax, SatisfiesTheConditionsOfTheProjection) {
  for (const double scale : {0.01, 1.0, 5.0, 100.0}) {
    const std::vector<double> logits = random_logits(200, scale, 1);
    std::vector<double> weights(logits.size());
    const int support = sparsemax<double>(logits, weights);
    EXPECT_NEAR(sum(weights), 1, 1e-12);
    double threshold = std::numeric_limits<double>::quiet_NaN();
    int positive = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) continue;
      if (positive++ == 0) threshold = logits[i] - weights[i];
      EXPECT_NEAR(logits[i] - weights[i], threshold, 1e-12);
    }
    EXPECT_EQ(support, positive);
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
    std::vector<double> weights(logits.size());
    const int support = entmax15<double>(logits, weights);
    EXPECT_NEAR(sum(weights), 1, 1e-12);
    double threshold = std::numeric_limits<double>::quiet_NaN();
    int positive = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) continue;
      if (positive++ == 0) threshold = logits[i] / 2 - std::sqrt(weights[i]);
      EXPECT_NEAR(logits[i] / 2 - std::sqrt(weights[i]), threshold, 1e-12);
    }
    EXPECT_EQ(support, positive);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (weights[i] == 0) {
        EXPECT_LE(logits[i] / 2, threshold + 1e-12);
      }
    }
  }
}

TEST(SparseMaps, KeepEveryItemOfAFlatRowAndOneOfASteepRow) {
  std::vector<double> flat(64, 3.5);
  std::vector<double> weights(64);
  EXPECT_EQ(sparsemax<double>(flat, weights), 64);
  EXPECT_NEAR(weights[13], 1.0 / 64, 1e-15);
  EXPECT_EQ(entmax15<double>(flat, weights), 64);
  EXPECT_NEAR(weights[13], 1.0 / 64, 1e-15);
  flat[5] = 10;
  EXPECT_EQ(sparsemax<double>(flat, weights), 1);
  EXPECT_EQ(weights[5], 1);
  EXPECT_EQ(entmax15<double>(flat, weights), 1);
  EXPECT_EQ(weights[5], 1);
}

// e = s rho with rho ~ U(0,1): (2 s / n)^(1/2) and (1.5 s / n)^(2/3) on the largest (design, fact
// 5).
TEST(SparseMaps, DisperseAsPredictedOnEvenlySpreadItems) {
  constexpr int kItems = 16384;
  constexpr double kSlope = 40;
  std::vector<double> logits;
  for (int i = 0; i < kItems; ++i)
    logits.push_back(kSlope * (i + 0.5) / kItems);
  std::vector<double> weights(logits.size());
  sparsemax<double>(logits, weights);
  EXPECT_NEAR(weights.back(), std::sqrt(2 * kSlope / kItems), 0.03 * weights.back());
  entmax15<double>(logits, weights);
  EXPECT_NEAR(weights.back(), std::pow(1.5 * kSlope / kItems, 2.0 / 3), 0.03 * weights.back());
}

TEST(LogNSoftmax, IsSoftmaxOfTheLogitsTimesTheLogarithmOfTheUnmaskedCount) {
  const std::vector<double> logits = {1.0, kMasked, 0.5, -0.25};
  std::vector<double> weights(4);
  log_n_softmax<double>(logits, weights);
  EXPECT_EQ(weights[1], 0);
  EXPECT_NEAR(sum(weights), 1, 1e-15);
  EXPECT_NEAR(weights[2] / weights[0], std::pow(3.0, -0.5), 1e-15);
  EXPECT_NEAR(weights[3] / weights[0], std::pow(3.0, -1.25), 1e-15);
}

TEST(TopKSoftmax, TakesTheLowerIndexAmongTies) {
  const std::vector<double> logits = {1, 2, kMasked, 2, 2};
  std::vector<double> weights(5);
  top_k_softmax<double>(logits, 2, weights);
  EXPECT_EQ(weights, (std::vector<double>{0, 0.5, 0, 0.5, 0}));
}

TEST(TopKSoftmax, IsSoftmaxWhenKIsLargeEnough) {
  const std::vector<double> logits = {0, std::log(3.0), kMasked};
  std::vector<double> weights(3);
  top_k_softmax<double>(logits, 100, weights);
  EXPECT_NEAR(weights[0], 0.25, 1e-15);
  EXPECT_NEAR(weights[1], 0.75, 1e-15);
  EXPECT_EQ(weights[2], 0);
}

TEST(OtherMaps, IgnoreAnOffsetAndGiveOneItemAllTheWeight) {
  const std::vector<float> logits = {1e6f, 1e6f + 0.5f, 1e6f - 0.25f};
  const std::vector<float> centred = {0.f, 0.5f, -0.25f};
  std::vector<float> weights(3);
  std::vector<float> expected(3);
  log_n_softmax<float>(logits, weights);
  log_n_softmax<float>(centred, expected);
  EXPECT_EQ(weights, expected);
  sparsemax<float>(logits, weights);
  sparsemax<float>(centred, expected);
  EXPECT_EQ(weights, expected);
  entmax15<float>(logits, weights);
  entmax15<float>(centred, expected);
  EXPECT_EQ(weights, expected);

  const std::vector<float> single = {-7.f};
  std::vector<float> weight(1);
  log_n_softmax<float>(single, weight);
  EXPECT_EQ(weight[0], 1);
  EXPECT_EQ(sparsemax<float>(single, weight), 1);
  EXPECT_EQ(weight[0], 1);
  EXPECT_EQ(entmax15<float>(single, weight), 1);
  EXPECT_EQ(weight[0], 1);
}

TEST(OtherMaps, RefuseARowWithoutAnItem) {
  const std::vector<double> logits = {kMasked, kMasked};
  std::vector<double> weights(2);
  EXPECT_THROW(log_n_softmax<double>(logits, weights), std::invalid_argument);
  EXPECT_THROW(sparsemax<double>(logits, weights), std::invalid_argument);
  EXPECT_THROW(entmax15<double>(logits, weights), std::invalid_argument);
  EXPECT_THROW(top_k_softmax<double>(logits, 1, weights), std::invalid_argument);
  EXPECT_THROW(top_k_softmax<double>(std::vector<double>{1, 2}, 0, weights), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion

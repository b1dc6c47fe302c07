// What the chunks of a set say together, against one chunk after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/attention/streaming_entropy.h"
#include "faults.h"
#include "fibres.h"
#include "gpu/kernels/evaluation_kernels.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

constexpr int kChunks = 2 * kMostChunkThreads + 7;
constexpr double kTheta = 0.5;

std::vector<ChunkScore> chunk_scores() {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform;
  std::vector<ChunkScore> scores(kChunks);
  for (int c = 0; c < kChunks; ++c) {
    ChunkScore& score = scores[static_cast<std::size_t>(c)];
    score = {};
    score.largest = std::floor(20 * uniform(random));
    score.smallest = -10 * uniform(random);
    score.priority = std::floor(50 * uniform(random)) / 50;
    score.priority_item = kDirectChunkItems * c + 5;
    score.priority_items = 1 + c % 5;
    score.priority_class = c % 10;
    score.sum[0] = 1 + 100 * static_cast<double>(uniform(random));
    score.weighted_sum[0] = -score.sum[0] * static_cast<double>(uniform(random));
  }
  return scores;
}

std::vector<ChunkPool> chunk_pools() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform;
  std::vector<ChunkPool> pools(kChunks);
  for (int c = 0; c < kChunks; ++c) {
    ChunkPool& pool = pools[static_cast<std::size_t>(c)];
    pool = {};
    pool.sum[0] = uniform(random);
    pool.weighted_sum[0] = -uniform(random);
    // The largest twice, both beyond the number of threads.
    pool.best_logit = c == kMostChunkThreads + 3 || c == kChunks - 1 ? 2 : uniform(random);
    pool.best_item = kDirectChunkItems * c + 9;
  }
  return pools;
}

template <class T>
T fetch(const DeviceBuffer<T>& from, Stream& stream) {
  T to;
  stream.download<T>(from.data(), {&to, 1});
  stream.synchronise();
  return to;
}

TEST(MergeChunks, MoreChunksThanThreads) {
  const std::vector<ChunkScore> scores = chunk_scores();
  const std::vector<ChunkPool> pools = chunk_pools();
  Stream stream;
  DeviceBuffer<ChunkScore> device_scores(scores.size());
  DeviceBuffer<ChunkPool> device_pools(pools.size());
  DeviceBuffer<SetScore> set_score(1);
  DeviceBuffer<SetResult> result(1);
  DeviceBuffer<TransformScore> transform_result(1);
  DeviceBuffer<double> weight_sum(1);
  DeviceBuffer<float> weight_on_max(1);
  stream.upload<ChunkScore>(scores, device_scores.data());
  stream.upload<ChunkPool>(pools, device_pools.data());
  const float on_max = 0.75f;
  stream.upload<float>({&on_max, 1}, weight_on_max.data());
  const EvaluationHead direct{};
  EvaluationMemory memory{};
  memory.sets.sets = 1;
  memory.sets.items = kDirectChunkItems * kChunks;
  memory.transforms.count = 1;
  memory.transforms.transform[0] = {TransformId::kAdaptive, kTheta, {}};
  memory.chunk_scores = device_scores.data();
  memory.chunk_pools = device_pools.data();
  memory.set_scores = set_score.data();
  memory.results = result.data();
  memory.transform_results = transform_result.data();
  memory.weight_sums = weight_sum.data();
  memory.weight_on_max = weight_on_max.data();

  launch_merge_scores(stream, direct, memory);
  const SetScore merged = fetch(set_score, stream);
  StreamingEntropy<double> entropy;
  float priority = -1;
  SetScore expected{};
  expected.largest = -INFINITY;
  expected.smallest = INFINITY;
  for (const ChunkScore& score : scores) {
    entropy.merge(
        {static_cast<double>(score.largest) / kTheta, score.sum[0], score.weighted_sum[0]});
    expected.largest = std::max(expected.largest, score.largest);
    expected.smallest = std::min(expected.smallest, score.smallest);
    if (score.priority > priority) {
      priority = score.priority;
      expected.priority_item = score.priority_item;
      expected.label = score.priority_class;
      expected.priority_items = 0;
    }
    if (score.priority == priority) expected.priority_items += score.priority_items;
  }
  EXPECT_EQ(merged.largest, expected.largest);
  EXPECT_EQ(merged.smallest, expected.smallest);
  EXPECT_EQ(merged.priority_item, expected.priority_item);
  EXPECT_EQ(merged.priority_items, expected.priority_items);
  EXPECT_EQ(merged.label, expected.label);
  // In double, and 1e-16 apart for each of a few hundred sums and the rule's terms: 1e-13.
  EXPECT_NEAR(merged.beta[0], adaptive_beta(AdaptiveRule(), entropy.entropy()), 1e-12);
  EXPECT_EQ(merged.scale[0], static_cast<float>(merged.beta[0] / kTheta));

  launch_merge_pools(stream, memory, kChunks);
  double sum = 0;
  double weighted = 0;
  for (const ChunkPool& pool : pools) {
    sum += pool.sum[0];
    weighted += pool.weighted_sum[0];
  }
  EXPECT_EQ(fetch(result, stream).argmax_logit, kDirectChunkItems * (kMostChunkThreads + 3) + 9);
  EXPECT_NEAR(fetch(weight_sum, stream), sum, 1e-12 * sum);
  const TransformScore of_transform = fetch(transform_result, stream);
  EXPECT_FLOAT_EQ(of_transform.entropy, static_cast<float>(std::log(sum) - weighted / sum));
  EXPECT_FLOAT_EQ(of_transform.weight_on_max, static_cast<float>(0.75 / sum));
}

}  // namespace
}  // namespace dispersion

// A stop in the middle of one very large set: the call ends soon, and what calls before it computed
// is kept to the last bit.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/precision_comparison.h"
#include "core/experiment/size_table.h"
#include "core/experiment/table_one.h"
#include "core/experiment/temperature_fit.h"
#include "core/progress.h"

namespace dispersion {
namespace {

constexpr int kLargeSet = 1 << 21;
constexpr EvaluationSettings kDirect = {.path = HeadPath::kDirect};
const std::array<AttentionTransform, 1> kTransforms = {AttentionTransform()};
const Parameters<float> kHead = initial_parameters({.width = 64}, 1);

// Rougher than any polynomial, so that its logits come by the direct path.
Parameters<float> rough_head() {
  Parameters<float> head = kHead;
  for (float& value : head.values)
    value *= 1000;
  return head;
}

// A backend that is stopped from its first call on.
std::unique_ptr<Backend> stopped_backend() {
  std::stop_source source;
  source.request_stop();
  return make_cpu_backend(2, source.get_token());
}

TEST(Stop, EndsOneLargeSetInTheMiddle) {
  std::stop_source source;
  const auto backend = make_cpu_backend(2, source.get_token());
  std::vector<std::int32_t> labels;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  // Would take some ten seconds, and returns where nobody asks in the middle.
  EXPECT_THROW(backend->evaluate_drawn(kHead, {.items = 8 * kLargeSet, .sets = 1}, kTransforms,
                                       kDirect, labels),
               Stopped);
  user.join();
}

TEST(Stop, ChangesNoBitOfWhatIsNotStopped) {
  std::stop_source source;
  const auto plain = make_cpu_backend(2);
  const auto watched = make_cpu_backend(2, source.get_token());
  const std::array<int, 3> sizes = {16, 5000, (1 << 17) + 3};
  EXPECT_EQ(evaluate_sizes(*watched, kHead, 1, sizes, 3, kTransforms, {}, kDirect),
            evaluate_sizes(*plain, kHead, 1, sizes, 3, kTransforms, {}, kDirect));
}

Recipe large_batches() {
  Recipe recipe;
  recipe.batch_sets = 16;
  recipe.smallest_set = recipe.largest_set = 4096;
  recipe.path = HeadPath::kDirect;
  return recipe;
}

TrainingState young_head() {
  return start_training({.width = 64}, 1);
}

TEST(Stop, LeavesOutTheTrainingStepThatItIsIn) {
  for (const std::size_t heads : {1u, 2u}) {  // shared among two threads, and a thread each
    const auto backend = stopped_backend();
    backend->load(large_batches(), std::vector(heads, young_head()));
    std::vector<StepRecord> records;
    EXPECT_EQ(backend->train(3, records).steps_done, 0);
    EXPECT_TRUE(records.empty());
    EXPECT_EQ(run_hash(large_batches(), backend->state(0)),
              run_hash(large_batches(), young_head()));
  }
}

TEST(Stop, KeepsTheTrainingStepsBefore) {
  std::stop_source source;
  const auto backend = make_cpu_backend(2, source.get_token());
  backend->load(large_batches(), {young_head()});
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    source.request_stop();
  });
  std::vector<StepRecord> records;
  const int done = backend->train(100'000, records).steps_done;  // would take hours
  user.join();
  ASSERT_LT(done, 100'000);
  EXPECT_EQ(records.size(), static_cast<std::size_t>(done));
  const auto plain = make_cpu_backend(2);
  plain->load(large_batches(), {young_head()});
  if (done > 0) plain->train(done, records);
  EXPECT_EQ(run_hash(large_batches(), backend->state(0)),
            run_hash(large_batches(), plain->state(0)));
}

TEST(Stop, DoesNotLeaveOutStepsOnOrdinaryBatches) {
  const auto backend = stopped_backend();
  backend->load(Recipe(), {young_head()});
  std::vector<StepRecord> records;
  EXPECT_EQ(backend->train(2, records).steps_done, 2);
}

TEST(Stop, KeepsTheRowsOfTheSizesBefore) {
  const auto backend = stopped_backend();
  const std::array<int, 3> sizes = {16, kLargeSet, 32};
  const std::vector<SizeRow> rows =
      evaluate_sizes(*backend, kHead, 1, sizes, 100, kTransforms, {}, kDirect);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sets, 100);
  EXPECT_EQ(rows[1].sets, 0);
  const auto plain = make_cpu_backend(1);
  EXPECT_EQ(
      rows[0],
      evaluate_sizes(*plain, kHead, 1, std::array{16}, 100, kTransforms, {}, kDirect).front());
}

TEST(Stop, EndsEveryExperimentOnLargeSets) {
  const auto backend = stopped_backend();
  const Parameters<float> rough = rough_head();

  const std::vector<TableHead> heads = {{1, kHead}};
  TableRun table = start_table(heads, {.sizes = {kLargeSet}, .sets = 1, .evaluation = kDirect});
  EXPECT_FALSE(advance_table(table, heads, *backend));
  EXPECT_EQ(table.tallies.front().sets, 0);

  const std::vector<PrecisionRow> rows = compare_precisions(
      *backend, kHead,
      {.sizes = {kLargeSet}, .sets = 1, .precisions = {Precision::kBf16Priorities}},
      [](double) { return true; });
  EXPECT_TRUE(rows.empty());

  FitSettings fit;
  fit.sizes = {kLargeSet};
  fit.sets = 1;
  FitRun run = start_fit(fit);
  EXPECT_FALSE(advance_fit(run, rough, *backend));
  EXPECT_EQ(run.generated.front(), 0);

  EXPECT_EQ(size_logits(*backend, rough, 1, kLargeSet, 2).sets, 0);
  const HeadSurface surface = head_entropy_surface(*backend, rough, 1, std::array{kLargeSet},
                                                   std::array{1.0}, 2, [](double) { return true; });
  EXPECT_TRUE(std::isnan(surface.entropy.front()));
}

}  // namespace
}  // namespace dispersion

#include "core/experiment/table_one.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/table_summary.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

std::vector<TableHead> small_heads(int count) {
  std::vector<TableHead> heads;
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint32_t>(i + 1);
    heads.push_back({seed, initial_parameters({.width = 16, .classes = 10}, seed)});
  }
  return heads;
}

TableSettings short_settings() {
  return {.sizes = {16, 3000}, .sets = 50, .transforms = table_transforms(), .evaluation = {}};
}

TableRun finished(const std::vector<TableHead>& heads, int threads, TableSettings settings) {
  const auto backend = make_cpu_backend(threads);
  TableRun run = start_table(heads, std::move(settings));
  while (advance_table(run, heads, *backend)) {
  }
  return run;
}

void expect_equal(const TableRun& a, const TableRun& b) {
  ASSERT_EQ(a.tallies.size(), b.tallies.size());
  for (std::size_t cell = 0; cell < a.tallies.size(); ++cell) {
    const TableTally& x = a.tallies[cell];
    const TableTally& y = b.tallies[cell];
    EXPECT_EQ(x.sets, y.sets);
    EXPECT_EQ(x.won, y.won);
    EXPECT_EQ(x.lost, y.lost);
    EXPECT_EQ(x.past_window, y.past_window);
    for (std::size_t transform = 0; transform < x.rows.size(); ++transform) {
      EXPECT_EQ(x.rows[transform].correct, y.rows[transform].correct);
      EXPECT_EQ(x.rows[transform].entropy_sum, y.rows[transform].entropy_sum);
      EXPECT_EQ(x.rows[transform].weight_on_max_sum, y.rows[transform].weight_on_max_sum);
    }
  }
}

TEST(TableOne, DefaultSetsKeepThePooledHalfWidthBelowHalfAPoint) {
  EXPECT_EQ(default_table_sets(10), 4096);
  EXPECT_EQ(default_table_sets(1), 65536);
  EXPECT_EQ(default_table_sets(1000), 1024);
  for (const int heads : {1, 2, 3, 7, 10, 16}) {
    const double sets = static_cast<double>(default_table_sets(heads)) * heads;
    EXPECT_LE(1.959964 * 0.5 / std::sqrt(sets), 0.005);
    EXPECT_GT(1.959964 * 0.5 / std::sqrt(sets / 2), 0.005);
  }
}

TEST(TableOne, StoppingAndGoingOnChangesNothing) {
  const auto heads = small_heads(2);
  const TableRun whole = finished(heads, 1, short_settings());
  EXPECT_EQ(share_done(whole), 1);
  const auto backend = make_cpu_backend(1);
  TableRun run = start_table(heads, short_settings());
  double last = 0;
  EXPECT_EQ(share_done(run), 0);
  while (advance_table(run, heads, *backend)) {
    EXPECT_GT(share_done(run), last);
    last = share_done(run);
    const TableRun stored = run;  // as if it had been put away
    run = stored;
  }
  expect_equal(run, whole);
}

TEST(TableOne, ThreadsChangeNothing) {
  const auto heads = small_heads(2);
  expect_equal(finished(heads, 1, short_settings()), finished(heads, 3, short_settings()));
}

TEST(TableOne, CellsAreWhatTheSizeTableGives) {
  const auto heads = small_heads(2);
  const TableRun run = finished(heads, 1, short_settings());
  const auto backend = make_cpu_backend(1);
  for (std::size_t head = 0; head < 2; ++head) {
    const std::vector<SizeRow> rows =
        evaluate_sizes(*backend, heads[head].parameters, heads[head].seed, run.settings.sizes, 50,
                       run.settings.transforms, {});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SizeRow& row = run.tally(i / 3, head).rows[i % 3];
      EXPECT_EQ(row.correct, rows[i].correct);
      EXPECT_EQ(row.argmax_correct, rows[i].argmax_correct);
      EXPECT_NEAR(row.entropy_sum, rows[i].entropy_sum, 1e-3);
    }
  }
  // Another seed, other sets.
  EXPECT_NE(run.tally(1, 0).rows[0].entropy_sum, run.tally(1, 1).rows[0].entropy_sum);
}

// Two heads at one size, by hand.
TableRun by_hand() {
  const auto heads = small_heads(2);
  TableRun run =
      start_table(heads, {.sizes = {1024}, .sets = 10, .transforms = table_transforms()});
  const std::int64_t correct[2][3] = {{4, 6, 4}, {5, 8, 5}};
  for (std::size_t head = 0; head < 2; ++head) {
    TableTally& tally = run.tallies[head];
    tally.sets = 10;
    tally.past_window = head == 0 ? 2 : 4;
    tally.won = {0, 3, 0};
    tally.lost = {0, head == 0 ? 1 : 0, 0};
    for (std::size_t transform = 0; transform < 3; ++transform) {
      tally.rows[transform].sets = 10;
      tally.rows[transform].correct = correct[head][transform];
      tally.rows[transform].entropy_sum = transform == 0 ? 30 : 20;
    }
  }
  return run;
}

TEST(TableSummary, WorksOutAnExample) {
  const TableOne table = summarise_table(by_hand());
  ASSERT_EQ(table.cells.size(), 3u);
  const TableOneCell& plain = *table.find(1024, TransformId::kSoftmax);
  const TableOneCell& adaptive = *table.find(1024, TransformId::kAdaptive);
  EXPECT_DOUBLE_EQ(plain.accuracy.mean, 0.45);
  EXPECT_DOUBLE_EQ(adaptive.accuracy.mean, 0.7);
  EXPECT_EQ(adaptive.sets, 10);
  EXPECT_EQ(adaptive.pooled_sets, 20);
  EXPECT_EQ(adaptive.plain_entropy, 3);
  EXPECT_EQ(adaptive.entropy, 2);
  EXPECT_NEAR(adaptive.past_window, 0.3, 1e-15);
  // Differences 0.2 and 0.3: t = 0.25 / 0.05 = 5, one degree of freedom.
  EXPECT_NEAR(adaptive.against_plain->p, 1 - 2 / std::acos(-1.0) * std::atan(5), 1e-12);
  EXPECT_EQ(*adaptive.mcnemar_p, mcnemar_p(6, 1));
  EXPECT_DOUBLE_EQ(*adaptive.gain, 0.25);
  EXPECT_DOUBLE_EQ(*adaptive.paper_gain, 0.577 - 0.538);
  EXPECT_EQ(adaptive.paper_gain_inside(), true);  // 0.25 with 0.635 to either side
  EXPECT_EQ(adaptive.paper_mean, 0.577);
  EXPECT_EQ(adaptive.paper_p_value, 1e-4);
  EXPECT_EQ(plain.paper_mean, 0.538);
  EXPECT_FALSE(plain.paper_p_value.has_value());
  EXPECT_FALSE(plain.against_plain);
  EXPECT_EQ(plain.paper_inside(), true);
  EXPECT_NEAR(table.window_end, 5.9445, 5e-5);
}

// While a run with one transform more is counted, the cells that are known already stay.
TEST(TableSummary, KeepsTheStoredCellsUntilTheyAreCountedAgain) {
  const auto heads = small_heads(2);
  const TableRun stored = finished(heads, 1, short_settings());
  TableSettings more = short_settings();
  more.transforms.push_back(usual_transform(TransformId::kSparsemax));
  const auto backend = make_cpu_backend(1);
  TableRun run = start_table(heads, more);
  while (run.tally(0, 0).sets < more.sets)
    advance_table(run, heads, *backend);  // one head at one size
  const TableOne partial = summarise_table(run, stored);
  const TableOne before = summarise_table(stored);
  for (const int items : more.sizes) {
    for (const AttentionTransform& transform : stored.settings.transforms) {
      const TableOneCell* cell = partial.find(items, transform.id);
      ASSERT_NE(cell, nullptr);
      EXPECT_TRUE(cell->complete);
      EXPECT_EQ(cell->accuracy.mean, before.find(items, transform.id)->accuracy.mean);
    }
  }
  const TableOneCell* begun = partial.find(16, TransformId::kSparsemax);
  ASSERT_NE(begun, nullptr);
  EXPECT_FALSE(begun->complete);
  // Against softmax of the one head that was counted, not of those that are kept.
  const TableTally& counted = run.tally(0, 0);
  EXPECT_DOUBLE_EQ(*begun->gain, counted.rows.back().accuracy() - counted.rows[0].accuracy());
  EXPECT_EQ(partial.find(3000, TransformId::kSparsemax), nullptr);
  while (advance_table(run, heads, *backend)) {
  }
  for (const TableOneCell& cell : summarise_table(run, stored).cells) {
    EXPECT_TRUE(cell.complete);
    EXPECT_EQ(cell.accuracy.mean,
              summarise_table(run).find(cell.items, cell.transform.id)->accuracy.mean);
  }
  // Cells over other numbers of sets would not be comparable.
  more.sets = 7;
  EXPECT_TRUE(summarise_table(start_table(heads, more), stored).cells.empty());
}

TEST(TableSummary, SaysWhyANumberIsMissing) {
  TableRun run = by_hand();
  const TableOneCell hard = *summarise_table(run).find(1024, TransformId::kHard);
  EXPECT_EQ(hard.against_plain.reason, "no difference");
  EXPECT_EQ(*hard.mcnemar_p, 1);
  EXPECT_FALSE(hard.paper_mean.has_value());
  EXPECT_FALSE(hard.paper_inside().has_value());
  run.tallies[1] = TableTally{.sets = 0, .rows = run.tallies[1].rows, .won = {}, .lost = {}};
  const TableOneCell one = *summarise_table(run).find(1024, TransformId::kAdaptive);
  EXPECT_EQ(one.accuracy.seeds, 1);
  EXPECT_EQ(one.against_plain.reason, "needs two seeds");
  EXPECT_EQ(one.accuracy.interval.reason, "needs two seeds");
  EXPECT_FALSE(one.paper_inside().has_value());
  EXPECT_TRUE(summarise_table(start_table(small_heads(1), short_settings())).cells.empty());
}

// Accuracies over the same sets are not independent, whatever the heads are.
TEST(TableSummary, HasNoTestsOverHeadsThatShareTheirSets) {
  TableRun run = by_hand();
  run.seeds = {7, 7};
  const TableOne table = summarise_table(run);
  EXPECT_TRUE(table.heads_share_sets);
  const TableOneCell& adaptive = *table.find(1024, TransformId::kAdaptive);
  EXPECT_DOUBLE_EQ(adaptive.accuracy.mean, 0.7);
  EXPECT_DOUBLE_EQ(*adaptive.gain, 0.25);
  EXPECT_EQ(adaptive.accuracy.interval.reason, "heads share sets");
  EXPECT_EQ(adaptive.against_plain.reason, "heads share sets");
  EXPECT_EQ(adaptive.mcnemar_p.reason, "heads share sets");
  EXPECT_FALSE(adaptive.paper_inside() || adaptive.paper_gain_inside());
  EXPECT_FALSE(summarise_table(by_hand()).heads_share_sets);
}

TEST(TableSummary, CountsThePapersValuesInsideAndBeside) {
  TableRun run = by_hand();
  const TableOne table = summarise_table(run);
  const InsideCount means = means_inside(table);
  EXPECT_EQ(means.compared, 2);
  EXPECT_EQ(means.inside, 2);  // 0.45 and 0.7, each with more than 0.6 to either side
  EXPECT_NEAR(repeats_expected_inside(table), 2 * repeat_inside(2, kPaperSeeds), 1e-12);
  EXPECT_EQ(gains_inside(table).compared, 1);
  const SideCount sides = sides_of_paper(table);
  EXPECT_EQ(sides.compared, 2);
  EXPECT_EQ(sides.above, 1);  // 0.7 and 0.577
  EXPECT_EQ(sides.below, 1);  // 0.45 and 0.538
  run.tallies[1].sets = 9;    // not finished
  EXPECT_EQ(means_inside(summarise_table(run)).compared, 0);
  EXPECT_EQ(sides_of_paper(summarise_table(run)).compared, 0);
}

TEST(TableOne, RefusesWhatIsNoTable) {
  const auto heads = small_heads(1);
  EXPECT_THROW(start_table({}, short_settings()), std::invalid_argument);
  EXPECT_THROW(start_table(heads, {.sizes = {}}), std::invalid_argument);
  EXPECT_THROW(start_table(heads, {.sizes = {0}}), std::invalid_argument);
  EXPECT_THROW(start_table(heads, {.sets = 0}), std::invalid_argument);
  TableSettings settings = short_settings();
  settings.transforms.erase(settings.transforms.begin());
  EXPECT_THROW(start_table(heads, settings), std::invalid_argument);
  TableRun run = start_table(heads, short_settings());
  EXPECT_THROW(advance_table(run, {}, *make_cpu_backend(1)), std::invalid_argument);
}

TEST(PaperTable, HasElevenColumnsAndNoMore) {
  for (const int size : doubling_sizes())
    EXPECT_NE(paper_column(size), nullptr) << size;
  EXPECT_EQ(paper_column(20), nullptr);
  EXPECT_EQ(paper_column(256)->adaptive, 0.821);
}

}  // namespace
}  // namespace dispersion

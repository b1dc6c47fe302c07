// The results that the program brings along are what its heads give: some of them again, to the
// last bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/commands/command_inputs.h"
#include "app/embedded/embedded.h"
#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/io/stored_results.h"

namespace dispersion {
namespace {

bool is_of_this_build(const std::string& backend) {
  return backend.ends_with(", " + std::string(build_info().instruction_set));
}

// Another instruction set rounds otherwise; hardly a set changes sides by it.
void expect_near(const SizeRow& a, const SizeRow& b) {
  EXPECT_EQ(a.sets, b.sets);
  EXPECT_NEAR(static_cast<double>(a.correct), static_cast<double>(b.correct), 4);
  EXPECT_NEAR(a.mean_entropy(), b.mean_entropy(), 1e-3);
  EXPECT_NEAR(a.mean_weight_on_max(), b.mean_weight_on_max(), 1e-3);
}

void expect_equal(const SizeRow& stored, const SizeRow& again, bool to_the_bit) {
  if (to_the_bit) {
    EXPECT_EQ(stored, again);
  } else {
    expect_near(stored, again);
  }
}

void expect_equal(const TableTally& stored, const TableTally& again, bool to_the_bit) {
  if (to_the_bit) {
    EXPECT_EQ(stored, again);
    return;
  }
  ASSERT_EQ(stored.rows.size(), again.rows.size());
  EXPECT_EQ(stored.sets, again.sets);
  for (std::size_t transform = 0; transform < stored.rows.size(); ++transform)
    expect_near(stored.rows[transform], again.rows[transform]);
}

TEST(ShippedTable, IsOfTheShippedHeadsAndOfTheUsualNumberOfSets) {
  const ShippedData shipped = shipped_data();
  ASSERT_TRUE(shipped.stored.table);
  EXPECT_EQ(shipped.stored.table->settings.sets,
            default_table_sets(static_cast<int>(shipped.heads.size())));
  EXPECT_EQ(shipped.stored.table->settings.sizes, doubling_sizes());
  EXPECT_EQ(share_done(*shipped.stored.table), 1);
  EXPECT_EQ(shipped.stored.table_provenance.find("computed before, by commit "), 0U);
}

TEST(ShippedTable, IsWhatTheHeadsGiveAgain) {
  const ShippedData shipped = shipped_data();
  ASSERT_TRUE(shipped.stored.table);
  const TableRun& stored = *shipped.stored.table;
  const StoredTable told = parse_stored_table("shipped table", embedded_table());
  const bool to_the_bit = told.backend.ends_with(", " + std::string(build_info().instruction_set));
  std::vector<TableHead> heads;
  for (const ExperimentHead& head : shipped.heads)
    heads.push_back({head.state->seed, head.state->parameters});
  const auto backend = make_cpu_backend(0);
  // The small sizes of every head, and a larger one of two.
  TableSettings settings;
  settings.sets = stored.settings.sets;
  settings.sizes = {16, 64};
  TableRun again = start_table(heads, settings);
  while (advance_table(again, heads, *backend)) {
  }
  for (std::size_t head = 0; head < heads.size(); ++head) {
    expect_equal(stored.tally(0, head), again.tally(0, head), to_the_bit);
    expect_equal(stored.tally(2, head), again.tally(1, head), to_the_bit);
  }
  const std::vector<TableHead> two = {heads.front(), heads.back()};
  settings.sizes = {1024};
  again = start_table(two, settings);
  while (advance_table(again, two, *backend)) {
  }
  expect_equal(stored.tally(6, 0), again.tally(0, 0), to_the_bit);
  expect_equal(stored.tally(6, heads.size() - 1), again.tally(0, 1), to_the_bit);
}

TEST(ShippedPrecision, IsWhatTheHeadsGiveAgain) {
  const ShippedData shipped = shipped_data();
  ASSERT_EQ(shipped.stored.precisions.size(), shipped.heads.size());
  const auto backend = make_cpu_backend(0);
  for (std::size_t head = 0; head < shipped.heads.size(); ++head) {
    const StoredPrecision& stored = shipped.stored.precisions[head];
    EXPECT_EQ(stored.settings, PrecisionSettings());
    PrecisionSettings settings = stored.settings;
    settings.sizes = head == 0 ? std::vector<int>{16, 32, 64, 128} : std::vector<int>{16};
    const std::vector<PrecisionRow> again =
        compare_precisions(*backend, shipped.heads[head].state->parameters, settings);
    const bool to_the_bit = is_of_this_build(stored.backend);
    for (std::size_t i = 0; i < again.size(); ++i) {
      const PrecisionRow &a = stored.rows[i], &b = again[i];
      EXPECT_EQ(a.precision, b.precision);
      EXPECT_EQ(a.perfect_accuracy, b.perfect_accuracy);
      expect_equal(a.measured, b.measured, to_the_bit);
    }
  }
}

}  // namespace
}  // namespace dispersion

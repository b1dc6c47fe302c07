
#include <gtest/gtest.h>

#include <string>

#include "core/io/file.h"
#include "core/io/stored_results.h"

namespace dispersion {
namespace {

// Two heads, two sizes; numbers that need all their digits.
StoredTable table() {
  StoredTable table = {"abc", "CPU, 1 thread", {"0123", "4567"}, TableRun()};
  TableSettings settings;
  settings.sizes = {16, 32};
  settings.sets = 1024;
  table.run = start_table(std::vector<TableHead>{{3, {}}, {7, {}}}, settings);
  std::int64_t count = 1;
  for (TableTally& tally : table.run.tallies) {
    tally.sets = 1024;
    tally.past_window = count++;
    for (std::size_t transform = 0; transform < tally.rows.size(); ++transform) {
      SizeRow& row = tally.rows[transform];
      row.sets = 1024;
      row.correct = count++;
      row.argmax_correct = count++;
      row.tied = count++;
      row.entropy_sum = 0.1 * static_cast<double>(count++);
      row.weight_on_max_sum = 1e-17 / static_cast<double>(count++);
      row.logit_spread_sum = 1e300 / static_cast<double>(count++);
      row.theta_sum = 1.0 / static_cast<double>(count++);
      tally.won[transform] = count++;
      tally.lost[transform] = count++;
    }
  }
  return table;
}

TEST(StoredTable, ComesBackBitForBit) {
  const StoredTable written = table();
  const StoredTable read = parse_stored_table("t", stored_table_json(written));
  EXPECT_EQ(read.commit, "abc");
  EXPECT_EQ(read.backend, "CPU, 1 thread");
  EXPECT_EQ(read.run_hashes, written.run_hashes);
  EXPECT_EQ(read.run.seeds, written.run.seeds);
  EXPECT_EQ(read.run.settings.sizes, written.run.settings.sizes);
  EXPECT_EQ(read.run.settings.sets, 1024);
  EXPECT_EQ(read.run.window_end, written.run.window_end);
  EXPECT_EQ(share_done(read.run), 1);
  ASSERT_EQ(read.run.tallies.size(), 4U);
  EXPECT_EQ(read.run.tallies, written.run.tallies);
}

// Version 0.1.0 called a transform "map".
TEST(StoredTable, ReadsTheKeysOfVersion010) {
  std::string text = stored_table_json(table());
  for (const auto& [now, before] :
       {std::pair{"\"transforms\"", "\"maps\""}, std::pair{"\"transform\"", "\"map\""}}) {
    ASSERT_NE(text.find(now), std::string::npos);
    for (std::size_t at; (at = text.find(now)) != std::string::npos;)
      text.replace(at, std::string(now).size(), before);
  }
  EXPECT_EQ(parse_stored_table("t", text).run.tallies, table().run.tallies);
}

TEST(StoredTable, RefusesWhatIsNoWholeTable) {
  const std::string good = stored_table_json(table());
  const auto spoilt = [&](const std::string& part, const std::string& other) {
    std::string text = good;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
  };
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() / 2),
        spoilt("\"sets\":1024,\"sizes\"", "\"sets\":2048,\"sizes\""),
        spoilt("\"items\":16", "\"items\":17"),
        spoilt("\"seed\":7,\"sets\"", "\"seed\":8,\"sets\""),
        spoilt("\"transform\":\"hard\"", "\"transform\":\"soft\""),
        spoilt("\"theta_sum\"", "\"theta\""), spoilt("\"sizes\":[16,32]", "\"sizes\":[16]"),
        spoilt("\"correct\":2", "\"correct\":\"2\""), spoilt("\"sizes\":[16,32]", "\"sizes\":[]")})
    EXPECT_THROW(parse_stored_table("t", text), FileError) << text.substr(0, 200);
}

}  // namespace
}  // namespace dispersion

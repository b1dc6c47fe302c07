
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/io/file.h"
#include "core/io/stored_results.h"

namespace dispersion {
namespace {

StoredPrecision stored() {
  StoredPrecision stored = {"abc", "CPU, 1 thread", "0123", {}, {}};
  stored.settings.seed = 7;
  stored.settings.sets = 9;
  stored.settings.sizes = {16, 64};
  double number = 1;
  for (const int items : stored.settings.sizes) {
    for (const Precision precision : stored.settings.precisions) {
      PrecisionRow row = {precision, {.items = items, .sets = 9}, 1 / ++number};
      row.measured.correct = static_cast<std::int64_t>(++number);
      row.measured.entropy_sum = 0.1 * ++number;
      row.measured.weight_on_max_sum = 1e-300 / ++number;
      row.measured.logit_spread_sum = 1e300 / ++number;
      row.measured.theta_sum = 1 / ++number;
      stored.rows.push_back(row);
    }
  }
  return stored;
}

TEST(StoredPrecision, ComesBackBitForBit) {
  const StoredPrecision written = stored();
  const std::string line = stored_precision_line(written);
  const std::vector<StoredPrecision> read = parse_stored_precision("p", line + line);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].commit, "abc");
  EXPECT_EQ(read[1].backend, "CPU, 1 thread");
  EXPECT_EQ(read[1].run_hash, "0123");
  EXPECT_EQ(read[1].settings.seed, 7U);
  EXPECT_EQ(read[1].settings.sets, 9);
  EXPECT_EQ(read[1].settings.sizes, written.settings.sizes);
  ASSERT_EQ(read[1].rows.size(), written.rows.size());
  for (std::size_t i = 0; i < written.rows.size(); ++i) {
    const PrecisionRow &a = written.rows[i], &b = read[1].rows[i];
    EXPECT_EQ(a.precision, b.precision);
    EXPECT_EQ(a.perfect_accuracy, b.perfect_accuracy);
    EXPECT_EQ(a.measured.items, b.measured.items);
    EXPECT_EQ(a.measured.sets, b.measured.sets);
    EXPECT_EQ(a.measured.correct, b.measured.correct);
    EXPECT_EQ(a.measured.entropy_sum, b.measured.entropy_sum);
    EXPECT_EQ(a.measured.weight_on_max_sum, b.measured.weight_on_max_sum);
    EXPECT_EQ(a.measured.logit_spread_sum, b.measured.logit_spread_sum);
    EXPECT_EQ(a.measured.theta_sum, b.measured.theta_sum);
  }
  EXPECT_TRUE(parse_stored_precision("p", "").empty());
}

TEST(StoredPrecision, RefusesWhatIsNotWhole) {
  const std::string line = stored_precision_line(stored());
  std::string other = line;
  other.replace(other.find("\"n\":64"), 6, "\"n\":65");
  std::string sizes = line;
  sizes.replace(sizes.find("[16,64]"), 7, "[16]");
  for (const std::string& text : {std::string("\n"), std::string("{}\n"),
                                  line.substr(0, line.size() - 1), line + "x\n", other, sizes})
    EXPECT_THROW(parse_stored_precision("p", text), FileError) << text;
}

}  // namespace
}  // namespace dispersion

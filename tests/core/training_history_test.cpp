#include "core/experiment/training_history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/cpu/cpu_backend.h"
#include "core/head/optimiser.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

constexpr HeadShape kSmall{.width = 16, .classes = 10};

History two_rows() {
  History history;
  TrainingState state = start_training(kSmall, 4);
  history.push_back(measure_history(Recipe(), state));
  state.step = 1;
  state.parameters.values[3] += 0.1f;
  history.push_back(measure_history(Recipe(), state));
  return history;
}

// The error of reading `csv`, or what came instead.
std::string refusal(const std::string& csv) {
  try {
    parse_history("h.csv", csv);
  } catch (const FileError& error) {
    return error.what();
  }
  return "read without an error";
}

void expect_refused(const std::string& csv, const std::string& words) {
  EXPECT_NE(refusal(csv).find(words), std::string::npos) << refusal(csv) << "\nlacks: " << words;
  EXPECT_NE(refusal(csv).find("h.csv"), std::string::npos);
}

TEST(TrainingHistory, StepsAreDenseAtFirstAndThenEveryThousand) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = next_history_step(-1); step <= 4000; step = next_history_step(step))
    steps.push_back(step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000,
                                              3000, 4000}));
  EXPECT_EQ(next_history_step(99'999), 100'000);
  EXPECT_EQ(next_history_step(100'000), 101'000);
}

// Loss and accuracy by the other path: floats, through the backend.
TEST(TrainingHistory, RowTellsHowTheHeadStands) {
  TrainingState state = start_training(HeadShape(), 2);
  state.step = 17;
  const HistoryRow row = measure_history(Recipe(), state);
  EXPECT_EQ(row.seed, 2u);
  EXPECT_EQ(row.step, 17);
  const ItemSets sets = draw_spread_sets({});
  ASSERT_EQ(sets.sets, 128);
  ASSERT_EQ(sets.items, 16);
  const std::vector<AttentionTransform> transforms(1);
  const TransformEvaluation transform =
      make_cpu_backend(1)->evaluate(state.parameters, sets.view(), transforms).transforms.front();
  double loss = 0;
  int correct = 0;
  for (std::size_t set = 0; set < 128; ++set) {
    double sum = 0;
    for (std::size_t c = 0; c < 10; ++c)
      sum += std::exp(static_cast<double>(transform.class_logits[set * 10 + c]));
    const auto label = static_cast<std::size_t>(sets.label[set]);
    loss += std::log(sum) - static_cast<double>(transform.class_logits[set * 10 + label]);
    correct += transform.predicted[set] == sets.label[set] ? 1 : 0;
  }
  EXPECT_NEAR(row.cross_entropy, loss / 128, 1e-5);
  EXPECT_DOUBLE_EQ(row.accuracy, correct / 128.0);
  EXPECT_DOUBLE_EQ(row.l2, l2_loss(Recipe(), state.parameters));
  EXPECT_DOUBLE_EQ(row.spread.delta, measure_spread(state.parameters, sets.view(), {}).delta);
  // Half lambda times the squares of the kernels: what the default recipe adds to the loss.
  EXPECT_NEAR(row.l2, 0.0005 * row.spread.kernel_norm * row.spread.kernel_norm, 1e-9);
}

TEST(TrainingHistory, MeansAreOverTheSeedsThatHaveTheStep) {
  History a = two_rows();
  History b = two_rows();
  a[0].spread.delta = 1;
  b[0].spread.delta = 4;
  a[0].spread.bound = 10;
  b[0].spread.bound = 30;
  b.pop_back();
  const std::vector<HistoryMean> means = mean_over_seeds({a, b});
  ASSERT_EQ(means.size(), 2u);
  EXPECT_EQ(means[0].seeds, 2);
  EXPECT_DOUBLE_EQ(means[0].delta, 2.5);
  EXPECT_EQ(means[0].delta_low, 1);
  EXPECT_EQ(means[0].delta_high, 4);
  EXPECT_DOUBLE_EQ(means[0].bound, 20);
  EXPECT_EQ(means[0].bound_high, 30);
  EXPECT_EQ(means[1].seeds, 1);
  EXPECT_EQ(means[1].delta, a[1].spread.delta);
  EXPECT_TRUE(mean_over_seeds({}).empty());
}

TEST(HistoryFile, ReadsBackEveryBit) {
  const History history = two_rows();
  const TemporaryFolder folder;
  write_bytes(folder / "h.csv", history_csv(history));
  const History again = read_history(folder / "h.csv");
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(history_csv(again), history_csv(history));
  EXPECT_EQ(again[1].spread.delta, history[1].spread.delta);
  EXPECT_EQ(again[1].spread.kernel_norm, history[1].spread.kernel_norm);
  EXPECT_EQ(again[1].cross_entropy, history[1].cross_entropy);
  EXPECT_EQ(again[1].step, 1);
}

TEST(HistoryFile, LiesBesideTheCheckpoint) {
  EXPECT_EQ(history_path("runs/a.b/seed1.safetensors"), "runs/a.b/seed1.history.csv");
}

TEST(HistoryFile, IsReadAsASpreadsheetSavesIt) {
  const std::string good = history_csv(two_rows());
  const auto read = [](const std::string& csv) { return history_csv(parse_history("h.csv", csv)); };
  std::string crlf;
  for (const char c : good)
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read("\xef\xbb\xbf" + good), good);
  EXPECT_EQ(read(crlf), good);
  EXPECT_EQ(read(good.substr(0, good.size() - 1)), good);
  EXPECT_EQ(read("\xef\xbb\xbf" + crlf.substr(0, crlf.size() - 2)), good);
  EXPECT_EQ(read("\xef\xbb\xbf" + crlf.substr(0, crlf.size() - 1)), good);
  std::string wider;
  for (const char c : good)
    wider += c == '\n' ? ",,,\r\n" : std::string(1, c);
  EXPECT_EQ(read(wider), good);
  expect_refused("\xef\xbb\xbf", "is empty");
  // What stands in such a column is no number of the history.
  expect_refused(wider.substr(0, wider.size() - 2) + "7\r\n", "line 3: has more columns");
}

TEST(HistoryFile, ShowsWhatCannotBeSeenInAForeignLine) {
  expect_refused("\xff\xfes\0e\0", "line 1: is '\\xff\\xfes");
  expect_refused("seed\u200b,step\x1b[2J\n", "line 1: is 'seed\\u200b,step\\x1b[2J'; expected");
  EXPECT_LT(refusal(std::string(100'000, ';')).size(), 400u);
}

TEST(HistoryFile, SaysWhatIsWrongAndWhere) {
  const std::string good = history_csv(two_rows());
  const std::size_t first_row = good.find('\n') + 1;
  const std::size_t second_row = good.find('\n', first_row) + 1;
  const std::string row = good.substr(second_row);
  expect_refused("", "is empty");
  expect_refused("step,loss\n", "line 1: is 'step,loss'; expected 'seed,step,delta,");
  expect_refused(good.substr(0, good.rfind(',')), "line 3: column 'accuracy' is ''; expected");
  expect_refused(good + row, "line 4: has step 1; expected one after 1");
  expect_refused(good + "5" + row.substr(1), "line 4: has seed 5; expected 4");
  expect_refused(good.substr(0, second_row) + "4,1,nan" + row.substr(3),
                 "line 3: column 'delta' is 'nan");
  expect_refused(good.substr(0, second_row) + "4,1,2\n", "line 3: column 'bound' is ''; expected");
  expect_refused(good.substr(0, good.size() - 1) + ",1\n", "line 3: has more columns");
  expect_refused(good.substr(0, second_row) + "-4" + row.substr(1),
                 "line 3: column 'seed' is '-4'");
}

}  // namespace
}  // namespace dispersion

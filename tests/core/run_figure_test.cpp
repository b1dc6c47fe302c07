
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/experiment/training_history.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

StepRecord record(std::int64_t step, float cross_entropy, float l2, float accuracy) {
  return {.step = step, .cross_entropy = cross_entropy, .l2 = l2, .accuracy = accuracy};
}

TEST(RunFigure, HasLossWithItsL2TermAndAccuracyInPercentOfEveryBatch) {
  const std::vector<StepRecord> records = {record(1, 2, 0.5F, 0.25F), record(2, 0.5F, 0.25F, 0.5F),
                                           record(3, 0.0625F, 0, 1)};
  const Figure figure = run_figure({records}, 7);
  EXPECT_EQ(figure.name, "run");
  EXPECT_EQ(figure.title, "The run of seed 7");
  ASSERT_EQ(figure.plots.size(), 2U);
  ASSERT_EQ(figure.plots[0].series.size(), 1U);
  EXPECT_EQ(figure.plots[0].series[0].x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(figure.plots[0].series[0].y, (std::vector<double>{2.5, 0.75, 0.0625}));
  EXPECT_TRUE(figure.plots[0].y.logarithmic);
  EXPECT_LE(figure.plots[0].y.low, 0.0625);
  EXPECT_GE(figure.plots[0].y.high, 2.5);
  EXPECT_EQ(figure.plots[1].series[0].y, (std::vector<double>{25, 50, 100}));
  EXPECT_GE(figure.plots[1].x.high, 3);
  EXPECT_EQ(figure.sentence.text(),
            "At step 3 the loss is 0.0625, and 100.0 % of the batch are right.");
}

TEST(RunFigure, LeavesOutAndCountsWhatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<StepRecord> records = {record(1, 1, 0, 0.5F), record(2, nan, 0, 0),
                                           record(3, 1, std::numeric_limits<float>::infinity(), 0)};
  const Figure figure = run_figure({records}, 1);
  EXPECT_EQ(figure.plots[0].series[0].x, std::vector<double>{1});
  EXPECT_EQ(figure.plots[1].series[0].x, std::vector<double>{1});
  EXPECT_NE(figure.plots[0].subtitle.text().find("2 not finite left out"), std::string::npos);
  EXPECT_EQ(figure.sentence.text().find("At step 1 "), 0U);
  const std::vector<StepRecord> nothing = {record(1, nan, 0, 0)};
  EXPECT_TRUE(run_figure({nothing}, 1).plots[0].series.empty());
  EXPECT_TRUE(run_figure({{}}, 1).plots[0].series.empty());
  EXPECT_TRUE(run_figure({{}}, 1).sentence.empty());
}

std::vector<HistoryRow> earlier_rows() {
  std::vector<HistoryRow> rows(3);
  for (int i = 0; i < 3; ++i) {
    HistoryRow& row = rows[static_cast<std::size_t>(i)];
    row.step = 50'000 * i;
    row.cross_entropy = 1.0 / (1 << i);
    row.l2 = 0.5;
    row.accuracy = 0.25 * (i + 1);
  }
  return rows;
}

TEST(RunFigure, ShowsWhatWasMeasuredBeforeTheRun) {
  const std::vector<HistoryRow> rows = earlier_rows();
  const Figure figure = run_figure({{}, rows, 0}, 3);
  ASSERT_EQ(figure.plots[0].series.size(), 1U);
  EXPECT_EQ(figure.plots[0].series[0].x, (std::vector<double>{0, 50'000, 100'000}));
  EXPECT_EQ(figure.plots[0].series[0].y, (std::vector<double>{1.5, 1, 0.75}));
  EXPECT_NE(figure.plots[0].subtitle.text().find("128 sets of 16 items"), std::string::npos);
  EXPECT_EQ(figure.plots[0].subtitle.text().find("batch"), std::string::npos);
  EXPECT_EQ(figure.plots[0].x.low, 0);
  EXPECT_EQ(
      figure.sentence.text(),
      "At step 100\u2009000 the loss is 0.750, and 96 of the 128 sets of 16 items are right.");
}

TEST(RunFigure, CountsTheStepsOfARunThatGoesOnFromTheFirstWeights) {
  const std::vector<HistoryRow> rows = earlier_rows();
  const std::vector<StepRecord> records = {record(1, 1, 0, 0.5F), record(300, 0.5F, 0, 1)};
  const Figure afresh = run_figure({records, rows, 100'000}, 3);
  ASSERT_EQ(afresh.plots[0].series.size(), 2U);
  EXPECT_EQ(afresh.plots[0].series[0].x, (std::vector<double>{100'001, 100'300}));
  EXPECT_EQ(afresh.plots[0].series[0].name, "this run");
  EXPECT_EQ(afresh.plots[0].series[1].name, "before");
  // The axis shows both.
  EXPECT_EQ(afresh.plots[0].x.low, 0);
  EXPECT_GE(afresh.plots[0].x.high, 100'300);
  EXPECT_LT(afresh.plots[0].x.high, 102'000);
  for (const LinePlot& plot : afresh.plots)
    EXPECT_NE(plot.subtitle.text().find(
                  " of each batch from step 100\u2009000 on, before: 128 sets of 16 items"),
              std::string::npos)
        << plot.subtitle.text();
  EXPECT_EQ(afresh.sentence.text().find("At step 100\u2009300 "), 0U);
  // A run with its moments counts on by itself.
  const std::vector<StepRecord> further = {record(20'001, 1, 0, 0.5F), record(20'002, 1, 0, 0.5F)};
  EXPECT_EQ(run_figure({further}, 3).plots[0].x.low, 20'000);
}

}  // namespace
}  // namespace dispersion

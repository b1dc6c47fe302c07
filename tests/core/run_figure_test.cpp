
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

StepRecord record(std::int64_t step, float cross_entropy, float l2, float accuracy) {
  return {.step = step, .cross_entropy = cross_entropy, .l2 = l2, .accuracy = accuracy};
}

TEST(RunFigure, HasLossWithItsL2TermAndAccuracyInPercentOfEveryBatch) {
  const std::vector<StepRecord> records = {record(1, 2, 0.5F, 0.25F), record(2, 0.5F, 0.25F, 0.5F),
                                           record(3, 0.0625F, 0, 1)};
  const Figure figure = run_figure(records, 7);
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
  EXPECT_EQ(figure.sentence, "At step 3 the loss is 0.0625, and 100.0 % of the batch are right.");
}

TEST(RunFigure, LeavesOutAndCountsWhatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<StepRecord> records = {record(1, 1, 0, 0.5F), record(2, nan, 0, 0),
                                           record(3, 1, std::numeric_limits<float>::infinity(), 0)};
  const Figure figure = run_figure(records, 1);
  EXPECT_EQ(figure.plots[0].series[0].x, std::vector<double>{1});
  EXPECT_EQ(figure.plots[1].series[0].x, std::vector<double>{1});
  EXPECT_NE(figure.plots[0].subtitle.find("2 not finite left out"), std::string::npos);
  EXPECT_EQ(figure.sentence.find("At step 1 "), 0U);
  EXPECT_TRUE(run_figure(std::vector<StepRecord>{record(1, nan, 0, 0)}, 1).plots[0].series.empty());
  EXPECT_TRUE(run_figure({}, 1).plots[0].series.empty());
  EXPECT_TRUE(run_figure({}, 1).sentence.empty());
}

}  // namespace
}  // namespace dispersion

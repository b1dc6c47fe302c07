
#include <gtest/gtest.h>

#include <vector>

#include "core/experiment/training_history.h"
#include "core/figure/figures.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

HistoryRow row(std::uint32_t seed, std::int64_t step, double cross_entropy, double accuracy) {
  HistoryRow result;
  result.seed = seed;
  result.step = step;
  result.cross_entropy = cross_entropy;
  result.l2 = 0.5;
  result.accuracy = accuracy;
  return result;
}

TEST(TrainingFigure, IsTheMeanAndTheRangeOfTheSeeds) {
  const std::vector<History> histories = {
      {row(1, 0, 3, 0.1), row(1, 10, 1, 0.5), row(1, 100, 0.25, 0.75)},
      {row(2, 0, 2, 0.1), row(2, 10, 2, 0.25)}};
  const Figure figure = training_figure(histories);
  ASSERT_EQ(figure.plots.size(), 2U);
  const Series& loss = figure.plots[0].series[0];
  EXPECT_EQ(loss.x, (std::vector<double>{0, 10, 100}));
  EXPECT_EQ(loss.y, (std::vector<double>{2.5, 1.5, 0.25}));
  EXPECT_EQ(loss.low, (std::vector<double>{2, 1, 0.25}));
  EXPECT_EQ(loss.high, (std::vector<double>{3, 2, 0.25}));
  EXPECT_EQ(figure.plots[1].series[0].y, (std::vector<double>{10, 37.5, 75}));
  // The axis has no place for step 0, of cross-entropy and L2 term.
  EXPECT_TRUE(
      painted_subtitle(figure.plots[0]).text().ends_with("; 2 points at training step 0 not shown"))
      << painted_subtitle(figure.plots[0]).text();
  EXPECT_EQ(figure.sentence.text(),
            "After 100 steps 1 of the 2 heads is right on 96 of the 128 sets, with a cross-entropy "
            "of 0.25 nats.");
}

TEST(TrainingFigure, OfOneSeedSpeaksOfOneHead) {
  const Figure figure = training_figure({{row(1, 0, 3, 0.1), row(1, 10, 1, 0.5)}});
  EXPECT_TRUE(
      figure.sentence.text().starts_with("After 10 steps the head is right on 64 of the 128 sets"))
      << figure.sentence.text();
}

TEST(TrainingFigure, OfNothingHasEmptyPlots) {
  const Figure figure = training_figure({});
  EXPECT_TRUE(figure.plots[0].series.empty());
  EXPECT_EQ(figure.plots[0].subtitle, "no training history yet");
  EXPECT_EQ(figure.sentence.text(), "");
}

}  // namespace
}  // namespace dispersion

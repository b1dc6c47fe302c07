#include "core/experiment/streaming.h"
#include "core/figure/figures.h"
#include "core/figure/plot_labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace dispersion {
namespace {

// exp of these logits are 1, 2, 3, 4: entropy by hand.
std::vector<float> hand_logits() {
  return {0, std::log(2.0f), std::log(3.0f), std::log(4.0f)};
}
double hand_entropy() {
  double entropy = 0;
  for (const double weight : {0.1, 0.2, 0.3, 0.4})
    entropy -= weight * std::log(weight);
  return entropy;
}

TEST(ExactEntropy, IsThatOfTheWeights) {
  EXPECT_NEAR(exact_entropy(hand_logits()), hand_entropy(), 1e-7);  // float logits
  EXPECT_DOUBLE_EQ(exact_entropy(std::vector<float>(1000, 3.5f)), std::log(1000.0));
  EXPECT_EQ(exact_entropy(std::vector<float>{7}), 0);
  EXPECT_EQ(exact_entropy({}), 0);
}

TEST(StreamedEntropy, AgreesWithTheExactOneInDoubleToAnyLength) {
  for (const int items : {1, 15, 256, 257, 5000, 131'072}) {
    const StreamingRow row = streaming_row(uniform_logits(1, items, 20, 0), 256);
    EXPECT_EQ(row.items, items);
    // n roundings of 1e-16 of terms of size 1, against the sum.
    EXPECT_NEAR(row.blocks_double, row.exact, 2e-12) << items;
    EXPECT_NEAR(row.blocks_float, row.exact, 3e-5) << items;
  }
}

TEST(StreamedEntropy, BlockSizesChangeRoundingOnly) {
  const std::vector<float> logits = uniform_logits(2, 3000, 50, 0);
  for (const int block : {1, 7, 3000, 10'000}) {
    const StreamingRow row = streaming_row(logits, block);
    EXPECT_NEAR(row.blocks_double, exact_entropy(logits), 1e-12);
    const auto blocks = equal_blocks(block, 3000);
    EXPECT_EQ(row.blocks_double, stream_blocks<double>(logits, blocks).entropy());
    EXPECT_EQ(static_cast<float>(row.blocks_float), stream_blocks<float>(logits, blocks).entropy());
  }
  EXPECT_NEAR(stream_pairwise<double>(logits).entropy(), exact_entropy(logits), 1e-12);
}

TEST(PaperEntropy, WithoutItsSlipsIsRight) {
  EXPECT_NEAR(paper_entropy<double>(hand_logits(), {}), hand_entropy(), 1e-7);
  const std::vector<float> logits = uniform_logits(3, 1000, 20, 0);
  EXPECT_NEAR(paper_entropy<double>(logits, {}), exact_entropy(logits), 1e-11);
}

TEST(PaperEntropy, ThePrintedSignTurnsItAround) {
  const std::vector<float> logits = uniform_logits(3, 1000, 20, 0);
  EXPECT_EQ(paper_entropy<double>(logits, {.sign = true}), -paper_entropy<double>(logits, {}));
}

// Where the first item is the largest no later one changes the maximum, so the slip does nothing;
// where a later one does, its own term comes in with the old maximum. Two logits 0 and a:
// Lambda = e^-a + e^a and K = a e^a instead of e^-a + 1 and a.
TEST(PaperEntropy, ThePrintedMaximumActsWhereTheMaximumRises) {
  const std::vector<float> falling = {3, 2, 1, 0.5f};
  EXPECT_EQ(paper_entropy<double>(falling, {.maximum = true}), paper_entropy<double>(falling, {}));
  const std::vector<float> rising = {0, 2};
  const double lambda = std::exp(-2.0) + std::exp(2.0);
  EXPECT_NEAR(paper_entropy<double>(rising, {.maximum = true}),
              2 + std::log(lambda) - 2 * std::exp(2.0) / lambda, 1e-14);
  EXPECT_NEAR(paper_entropy<double>(rising, {.sign = true, .maximum = true}),
              -(2 + std::log(lambda) - 2 * std::exp(2.0) / lambda), 1e-14);
}

TEST(PaperEntropy, LosesDigitsInFloatUnderAnOffset) {
  const StreamingRow near = streaming_row(uniform_logits(1, 2000, 5, 0), 256);
  const StreamingRow far = streaming_row(uniform_logits(1, 2000, 5, 1e6), 256);
  EXPECT_LT(std::abs(near.uncentred_float - near.exact), 1e-4);
  EXPECT_GT(std::abs(far.uncentred_float - far.exact), 0.1);
  EXPECT_LT(std::abs(far.blocks_float - far.exact), 1e-4);  // centred: none
}

TEST(Streaming, RefusesNothing) {
  EXPECT_THROW(streaming_row({}, 256), std::invalid_argument);
  EXPECT_THROW(streaming_row(hand_logits(), 0), std::invalid_argument);
}

TEST(StreamingFigure, ShowsErrorsAndLeavesZerosOut) {
  StreamingRow row{.items = 16, .exact = 2, .blocks_double = 2, .blocks_float = 2.001};
  row.uncentred_float = 2.5;
  row.with_sign_slip = -2;
  row.with_maximum_slip = 3;
  StreamingRow next = row;
  next.items = 32;
  next.blocks_double = 2 + 1e-12;
  const std::vector<StreamingRow> rows = {row, next};
  const Figure figure = streaming_figure(rows);
  ASSERT_EQ(figure.plots.size(), 1u);
  const std::vector<Series>& series = figure.plots[0].series;
  ASSERT_EQ(series.size(), 5u);
  EXPECT_EQ(series[0].x, (std::vector<double>{16, 32}));
  EXPECT_TRUE(painted_subtitle(figure.plots[0]).text().ends_with("; 1 point at error 0 not shown"));
  EXPECT_GT(figure.plots[0].y.low, 1e-13);  // which does not stretch the axis
  EXPECT_NEAR(series[1].y[0], 0.001, 1e-12);
  EXPECT_EQ(series[4].y[1], 4);
  EXPECT_NE(figure.sentence.text().find("\u22122.000 instead of 2.000"), std::string::npos)
      << figure.sentence.text();
  EXPECT_TRUE(streaming_figure({}).plots[0].series.empty());
}

// The longest row is told of, wherever it stands, and a slip that does nothing does not "give"
// anything.
TEST(StreamingFigure, TellsOfTheLongestRowAndOfSlipsThatDoNothing) {
  const std::vector<float> falling = {3, 2, 1};
  const std::vector<StreamingRow> rows = {streaming_row(falling, 2),
                                          streaming_row(std::vector<float>{5}, 2)};
  const std::string sentence = streaming_figure(rows).sentence;
  EXPECT_TRUE(sentence.starts_with("In 2 sizes up to n = 3 the")) << sentence;
  EXPECT_NE(sentence.find("the sign gives \u22120.832 instead of 0.832"), std::string::npos)
      << sentence;
  EXPECT_TRUE(sentence.ends_with("the running maximum changes no digit of 0.832.")) << sentence;
  const std::string one = streaming_figure(std::span(rows).last(1)).sentence;
  EXPECT_TRUE(one.starts_with("At n = 1 the entropy streamed in blocks is off by at most 0 nats"))
      << one;
  EXPECT_NE(one.find("the sign changes no digit of 0.000"), std::string::npos) << one;
}

// exp overflows where the maximum rises by more than 709.
TEST(StreamingFigure, SaysWhatIsNotFinite) {
  const std::vector<StreamingRow> rows = {streaming_row(std::vector<float>{0, 1000}, 2)};
  const Figure figure = streaming_figure(rows);
  EXPECT_NE(figure.sentence.text().find("the running maximum gives no finite number"),
            std::string::npos)
      << figure.sentence.text();
  EXPECT_EQ(painted_subtitle(figure.plots[0]).text(),
            "nats, against the exact entropy; 1 of printed maximum not finite; 4 points at error 0 "
            "not shown");
}

}  // namespace
}  // namespace dispersion

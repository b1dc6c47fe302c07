
#include <gtest/gtest.h>

#include <cmath>

#include "core/experiment/attention_length.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

TEST(AttentionLengthPlots, ShowTimeMemoryAndEntropyAlongTheLength) {
  const std::vector<AttentionLength> rows = {
      {.n = 256, .seconds = 0.002, .bytes = 1'000'000, .matrix_bytes = 262'144, .entropy = 2.5},
      {.n = 1024,
       .seconds = 0.03,
       .bytes = 4'000'000,
       .matrix_bytes = 4'194'304,
       .entropy = 3.5,
       .rows = 1024,
       .checked_rows = 64,
       .out_error = 2e-6}};
  const std::vector<LinePlot> plots = attention_length_plots(rows, "CPU, 2 threads");
  ASSERT_EQ(plots.size(), 3U);
  EXPECT_EQ(plots[0].series[0].x, (std::vector<double>{256, 1024}));
  EXPECT_EQ(plots[0].series[0].y, (std::vector<double>{2, 30}));
  EXPECT_NE(plots[0].subtitle.text().find("CPU, 2 threads"), std::string::npos);
  EXPECT_TRUE(plots[0].y.logarithmic);
  EXPECT_EQ(plots[1].series[0].y, (std::vector<double>{1, 4}));
  EXPECT_DOUBLE_EQ(plots[1].series[1].y[1], 4.194304);
  EXPECT_EQ(plots[2].series[0].y, (std::vector<double>{2.5, 3.5}));
  EXPECT_DOUBLE_EQ(plots[2].series[1].y[1], std::log(1024.0));
  EXPECT_GE(plots[2].y.high, std::log(1024.0));
  const std::string sentence = attention_length_sentence(rows);
  EXPECT_NE(sentence.find("30 ms and has arrays of 4.0 MB"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("in the 64 of its 1\u2009024 rows that were checked its output is off by "
                          "at most 2.0·10⁻⁶"),
            std::string::npos)
      << sentence;
}

// Softmax takes no two passes, and the longest of unordered lengths is not the last.
TEST(AttentionLengthPlots, SpeakOfWhatWasComputed) {
  const std::vector<AttentionLength> rows = {
      {.n = 1024, .adaptive = false, .bytes = 4'000'000, .rows = 2048, .checked_rows = 64},
      {.n = 16, .adaptive = false, .bytes = 62'500, .rows = 32, .checked_rows = 32}};
  const std::string sentence = attention_length_sentence(rows);
  EXPECT_TRUE(sentence.starts_with("Softmax attention over 1\u2009024 keys has arrays of 4.0 MB"))
      << sentence;
  const std::vector<LinePlot> plots = attention_length_plots(rows, "CPU");
  EXPECT_EQ(plots[0].subtitle.text(), "MB, all arrays together, proportional to n");
  EXPECT_EQ(plots[0].series[0].name, "softmax");
  EXPECT_LT(plots[0].x.low, 16);
  EXPECT_GT(plots[0].x.high, 1024);
}

TEST(AttentionLengthPlots, SayNothingOfTimeThatWasNotTaken) {
  const std::vector<AttentionLength> rows = {
      {.n = 256, .bytes = 1'000'000, .matrix_bytes = 262'144, .entropy = 2.5}};
  const std::vector<LinePlot> plots = attention_length_plots(rows, "CPU");
  ASSERT_EQ(plots.size(), 2U);
  EXPECT_EQ(plots[0].title, "Memory of attention");
  const std::string sentence = attention_length_sentence(rows);
  EXPECT_NE(sentence.find("256 keys, has arrays of 1.0 MB"), std::string::npos) << sentence;
}

TEST(AttentionLengthPlots, AreEmptyWithoutRows) {
  for (const LinePlot& plot : attention_length_plots({}, "CPU")) {
    EXPECT_TRUE(plot.series[0].x.empty());
    EXPECT_LT(plot.x.low, plot.x.high);
    EXPECT_LT(plot.y.low, plot.y.high);
  }
  EXPECT_TRUE(attention_length_sentence({}).empty());
}

}  // namespace
}  // namespace dispersion

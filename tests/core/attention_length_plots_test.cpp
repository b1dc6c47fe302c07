
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
  EXPECT_NE(attention_length_sentence(rows).find("30 ms and 4.0 MB"), std::string::npos)
      << attention_length_sentence(rows);
}

TEST(AttentionLengthPlots, SayNothingOfTimeThatWasNotTaken) {
  const std::vector<AttentionLength> rows = {
      {.n = 256, .bytes = 1'000'000, .matrix_bytes = 262'144, .entropy = 2.5}};
  const std::vector<LinePlot> plots = attention_length_plots(rows, "CPU");
  ASSERT_EQ(plots.size(), 2U);
  EXPECT_EQ(plots[0].title, "Memory of adaptive attention");
  EXPECT_NE(attention_length_sentence(rows).find("256 keys, took 1.0 MB"), std::string::npos)
      << attention_length_sentence(rows);
}

TEST(AttentionLengthPlots, AreEmptyWithoutRows) {
  for (const LinePlot& plot : attention_length_plots({}, "CPU")) {
    EXPECT_TRUE(plot.series[0].x.empty());
    EXPECT_LT(plot.x.low, plot.x.high);
    EXPECT_LT(plot.y.low, plot.y.high);
  }
  EXPECT_EQ(attention_length_sentence({}), "");
}

}  // namespace
}  // namespace dispersion

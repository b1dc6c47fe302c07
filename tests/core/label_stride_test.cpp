// Which ticks have room for their labels.

#include <gtest/gtest.h>

#include <vector>

#include "core/figure/axis.h"

namespace dispersion {
namespace {

// All labels as wide as each other.
std::size_t stride(const Axis& axis, double width, double length) {
  const std::vector<double> widths(axis.ticks.size(), width);
  return label_stride(axis, widths, length, 4);
}

Axis even(int ticks) {
  Axis axis;
  axis.high = ticks - 1;
  for (int i = 0; i < ticks; ++i)
    axis.ticks.push_back({static_cast<double>(i), ""});
  return axis;
}

TEST(LabelStride, IsTheLeastThatKeepsLabelsApart) {
  // Nine ticks 10 apart.
  EXPECT_EQ(stride(even(9), 6, 80), 1U);
  EXPECT_EQ(stride(even(9), 6.1, 80), 2U);
  EXPECT_EQ(stride(even(9), 16, 80), 2U);
  EXPECT_EQ(stride(even(9), 500, 80), 9U);  // the first alone
}

TEST(LabelStride, KeepsTheLastWhereThatCostsLittle) {
  // Seven ticks 10 apart: with every fourth the last would be lost, with every sixth it is not.
  EXPECT_EQ(stride(even(7), 30, 60), 6U);
  // Eight: with every second it is lost, and only the seventh would do.
  EXPECT_EQ(stride(even(8), 10, 70), 2U);
}

// 16 to 1 024 were all there, and of the longer ones only some.
TEST(LabelStride, IsEvenWhereLabelsGrowLonger) {
  const Axis axis = size_axis(16, 65536, 7);
  const std::vector<double> widths = {14, 14, 21, 31, 31, 38, 38};
  ASSERT_EQ(axis.ticks.size(), 7U);
  EXPECT_EQ(label_stride(axis, widths, 1000, 8), 1U);
  EXPECT_EQ(label_stride(axis, widths, 260, 8), 2U);
  EXPECT_EQ(label_stride(axis, widths, 120, 8), 3U);
}

TEST(LabelStride, OfNoTicksIsOne) {
  EXPECT_EQ(label_stride(Axis(), {}, 100, 8), 1U);
}

}  // namespace
}  // namespace dispersion

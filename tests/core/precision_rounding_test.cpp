// Rounding to bf16 and fp16 against an independent route: every number of the format is rebuilt
// from its fields, and what lies at, just below and just above every midpoint is rounded.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/precision/rounding.h"

namespace dispersion {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Format {
  Rounding rounding;
  int fraction_bits;
  int smallest_exponent;  // of normal numbers
  int largest_exponent;
};

constexpr Format kBf16{Rounding::kBf16, 7, -126, 127};
constexpr Format kFp16{Rounding::kFp16, 10, -14, 15};

float rounded(Rounding rounding, float x) {
  float result = 0;
  round_values(rounding, &x, &result, 1);
  return result;
}

// Every number >= 0 of the format in order, as doubles, and what would come after the last one.
std::vector<double> numbers(const Format& format) {
  std::vector<double> all;
  const int count = 1 << format.fraction_bits;
  for (int f = 0; f < count; ++f)
    all.push_back(std::ldexp(f, format.smallest_exponent - format.fraction_bits));
  for (int e = format.smallest_exponent; e <= format.largest_exponent; ++e) {
    for (int f = 0; f < count; ++f)
      all.push_back(std::ldexp(count + f, e - format.fraction_bits));
  }
  all.push_back(std::ldexp(1.0, format.largest_exponent + 1));
  return all;
}

class RoundingOf : public testing::TestWithParam<Format> {};

TEST_P(RoundingOf, EveryNumberAndEveryMidpoint) {
  const Format format = GetParam();
  const std::vector<double> all = numbers(format);
  const auto value_of = [&](std::size_t i) {
    return i + 1 == all.size() ? kInfinity : static_cast<float>(all[i]);
  };
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const float low = value_of(i);
    const float high = value_of(i + 1);
    ASSERT_EQ(rounded(format.rounding, low), low) << low;
    ASSERT_EQ(short_bits(format.rounding, low), i) << low;
    ASSERT_EQ(rounded(format.rounding, -low), -low) << low;
    ASSERT_EQ(std::signbit(rounded(format.rounding, -low)), true) << low;
    // Exact in double; in float too, as both formats have at least one bit less.
    const float middle = static_cast<float>((all[i] + all[i + 1]) / 2);
    const float even = i % 2 == 0 ? low : high;
    for (const float sign : {1.0f, -1.0f}) {
      ASSERT_EQ(rounded(format.rounding, sign * middle), sign * even) << middle;
      ASSERT_EQ(rounded(format.rounding, sign * std::nextafter(middle, 0.0f)), sign * low)
          << middle;
      ASSERT_EQ(rounded(format.rounding, sign * std::nextafter(middle, kInfinity)), sign * high)
          << middle;
    }
  }
}

TEST_P(RoundingOf, WhatIsNotANumber) {
  const Rounding rounding = GetParam().rounding;
  EXPECT_EQ(rounded(rounding, kInfinity), kInfinity);
  EXPECT_EQ(rounded(rounding, -kInfinity), -kInfinity);
  EXPECT_EQ(rounded(rounding, std::numeric_limits<float>::max()), kInfinity);
  EXPECT_EQ(rounded(rounding, -std::numeric_limits<float>::max()), -kInfinity);
  for (const std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu})
    EXPECT_TRUE(std::isnan(rounded(rounding, std::bit_cast<float>(bits)))) << bits;
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundingOf, testing::Values(kBf16, kFp16),
                         [](const auto& param_info) {
                           return param_info.param.fraction_bits == 7 ? "Bf16" : "Fp16";
                         });

TEST(RoundingOf, NothingLeavesEveryBit) {
  const float x = std::bit_cast<float>(0x3f812345u);
  EXPECT_EQ(rounded(Rounding::kNone, x), x);
}

TEST(RoundingOf, PrecisionsSayWhatIsRounded) {
  EXPECT_EQ(product_rounding(Precision::kFloat), Rounding::kNone);
  EXPECT_EQ(priority_rounding(Precision::kFloat), Rounding::kNone);
  EXPECT_EQ(product_rounding(Precision::kBf16Priorities), Rounding::kNone);
  EXPECT_EQ(priority_rounding(Precision::kBf16Priorities), Rounding::kBf16);
  EXPECT_EQ(priority_rounding(Precision::kFp16Priorities), Rounding::kFp16);
  EXPECT_EQ(product_rounding(Precision::kBf16), Rounding::kBf16);
  EXPECT_EQ(product_rounding(Precision::kFp16), Rounding::kFp16);
}

}  // namespace
}  // namespace dispersion

// Streaming attention by the kernels' own source, against softmax attention in double.

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "attention_case.h"
#include "core/attention/sequence_attention.h"
#include "core/math/area.h"
#include "faults.h"
#include "fibres.h"
#include "tests/gpu/row_errors.h"

namespace dispersion {
namespace {

constexpr AttentionTransform kPlain = {TransformId::kSoftmax, 1, {}};

const AttentionCase kCases[] = {
    {.name = "OneKey", .heads = 2, .n = 1, .d = 64},
    {.name = "FewKeys", .heads = 3, .n = 7, .d = 64},
    {.name = "JustATile", .heads = 1, .n = 64, .d = 64},
    {.name = "OneMoreThanATile", .heads = 2, .n = 65, .d = 64},
    {.name = "OneLessThanTwoTiles", .heads = 2, .n = 127, .d = 64},
    {.name = "Odd", .heads = 2, .n = 203, .d = 64},
    {.name = "OddCausal", .heads = 2, .n = 203, .d = 64, .causal = true},
    {.name = "OddInCalls", .heads = 2, .n = 143, .d = 64, .queries = 64},
    {.name = "OddCausalInCalls", .heads = 2, .n = 203, .d = 64, .causal = true, .queries = 128},
    {.name = "JustTwoTilesCausal", .heads = 1, .n = 128, .d = 64, .causal = true},
    {.name = "Wide", .heads = 2, .n = 130, .d = 128},
    {.name = "WideCausal", .heads = 1, .n = 131, .d = 128, .causal = true},
    {.name = "Widest", .heads = 1, .n = 97, .d = 256},
    {.name = "WidestCausal", .heads = 2, .n = 66, .d = 256, .causal = true},
    {.name = "Outlier", .heads = 2, .n = 150, .d = 64, .plant = Plant::kOutlier},
    {.name = "OutlierCausal",
     .heads = 1,
     .n = 150,
     .d = 128,
     .causal = true,
     .plant = Plant::kOutlier},
    {.name = "Equal", .heads = 2, .n = 100, .d = 64, .plant = Plant::kEqual},
    {.name = "EqualCausal", .heads = 1, .n = 100, .d = 256, .causal = true, .plant = Plant::kEqual},
    {.name = "Offset", .heads = 2, .n = 140, .d = 64, .plant = Plant::kOffset},
    {.name = "OffsetWide", .heads = 1, .n = 140, .d = 128, .plant = Plant::kOffset},
    {.name = "Sharp", .heads = 2, .n = 140, .d = 64, .plant = Plant::kSharp},
    {.name = "SharpCausal", .heads = 1, .n = 140, .d = 128, .causal = true, .plant = Plant::kSharp},
    {.name = "Rough", .heads = 1, .n = 203, .d = 128, .plant = Plant::kRough},
    {.name = "RoughCausal", .heads = 1, .n = 140, .d = 256, .causal = true, .plant = Plant::kRough},
    {.name = "Warm", .heads = 1, .n = 90, .d = 64, .transform = {TransformId::kAdaptive, 0.6, {}}},
    {.name = "Plain", .heads = 2, .n = 203, .d = 64, .transform = kPlain},
    {.name = "PlainCausal", .heads = 2, .n = 131, .d = 128, .causal = true, .transform = kPlain},
    {.name = "PlainWidest", .heads = 1, .n = 70, .d = 256, .transform = kPlain},
    {.name = "PlainOutlier",
     .heads = 1,
     .n = 150,
     .d = 64,
     .plant = Plant::kOutlier,
     .transform = {TransformId::kSoftmax, 0.5, {}}},
    {.name = "PlainOffset",
     .heads = 1,
     .n = 90,
     .d = 64,
     .plant = Plant::kOffset,
     .transform = kPlain},
    {.name = "PlainSharp",
     .heads = 1,
     .n = 140,
     .d = 64,
     .causal = true,
     .plant = Plant::kSharp,
     .transform = kPlain},
};

// The cases in float, and in bf16 too, but for the longest: emulated tensor cores are slow.
std::vector<AttentionCase> all_cases() {
  std::vector<AttentionCase> cases(std::begin(kCases), std::end(kCases));
  for (AttentionCase c : kCases) {
    if (c.n > 150) continue;
    c.name += "InBf16";
    c.bf16 = true;
    if (c.n > 100) c.heads = 1;
    cases.push_back(c);
  }
  // Past the keys after which sums begin anew.
  cases.push_back({.name = "LongInBf16", .heads = 1, .n = 530, .d = 64, .bf16 = true});
  return cases;
}

class AttentionParity : public testing::TestWithParam<AttentionCase> {
 protected:
  void TearDown() override {
    emulation::set_order(emulation::Order::kForward);
    EXPECT_EQ(emulation::take_guard_report(), "");
    EXPECT_EQ(emulation::bytes_held(), 0U);
  }
};

TEST_P(AttentionParity, AgreesWithDouble) {
  const AttentionCase& c = GetParam();
  const Sequences s = attention_sequences(c);
  const AttentionResult result = attend_on_device(c, s);
  const SequenceAttention attention = definition_of(c);
  // A weight of exponent x is right to about |x| 2^-24. Weighted with the weights themselves, |x|
  // is the logarithm of the keys to base 2 at most, 9.1 of 530: 5.4e-7 of a sum of weights, and the
  // rounding of the sums besides.
  const double rounding = 1e-6;
  for (int h = 0; h < c.heads; ++h) {
    for (int i = 0; i < c.n; ++i) {
      const AttendedRow row = attend_row(attention, s, h, i);
      const RowSizes sizes = row_sizes(attention, s, h, i);
      const RowErrors device = device_errors(attention, sizes);
      const std::size_t at = area(h, c.n) + static_cast<std::size_t>(i);
      // What float may leave in a logit: nothing but for rough numbers, where each of up to 256
      // sums is rounded, or cut off by a device's tensor cores. Rounding leaves 3.3e-6 at most in
      // these cases.
      const double logit_error = c.plant == Plant::kRough ? 5e-6 + device.logit : 0;
      ASSERT_NEAR(result.largest[at], sizes.largest, logit_error * std::sqrt(c.d)) << "row " << i;
      // Stored as a float, whose spacing grows with it.
      ASSERT_NEAR(result.log_sum_exp[at], row.log_sum_exp,
                  rounding + device.weight + logit_error + 2e-7 * std::abs(row.log_sum_exp))
          << "row " << i;
      const double entropy_error = rounding + device.weight * sizes.entropy_slope + 2 * logit_error;
      ASSERT_NEAR(result.entropy[at], row.entropy, entropy_error) << "row " << i;
      // |d beta / dH| is below 3 where beta is above 1.
      ASSERT_NEAR(result.beta[at], row.beta, rounding + 3 * (entropy_error - rounding))
          << "row " << i;
      // Values up to 2, and beta up to 2.5. In bf16 the weights are rounded, and the output: by
      // 2^-9 of it each.
      const double out_error = (c.bf16 ? 0x1p-9 * 2 * 2 : 5 * rounding) + 2 * device.pooled;
      for (std::size_t j = 0; j < row.out.size(); ++j) {
        ASSERT_NEAR(result.out[at * row.out.size() + j], row.out[j], out_error + 10 * logit_error)
            << "row " << i << ", channel " << j;
      }
    }
  }
}

TEST_P(AttentionParity, BitsDependNeitherOnTheOrderOfThreadsNorOnTheHeadsBeside) {
  const AttentionCase& c = GetParam();
  const Sequences s = attention_sequences(c);
  const AttentionResult forward = attend_on_device(c, s);
  emulation::set_order(emulation::Order::kBackward);
  EXPECT_EQ(attend_on_device(c, s), forward);
  emulation::set_order(emulation::Order::kShuffled, 7);
  EXPECT_EQ(attend_on_device(c, s), forward);
  AttentionCase last = c;
  last.heads = 1;
  Sequences alone;
  const auto tail = [&](const std::vector<float>& from, std::size_t width) {
    return std::vector<float>(from.end() - static_cast<std::ptrdiff_t>(c.n * width), from.end());
  };
  const std::size_t d = static_cast<std::size_t>(c.d);
  alone = {tail(s.q, d), tail(s.k, d), tail(s.v, d)};
  const AttentionResult one = attend_on_device(last, alone);
  EXPECT_EQ(one.out, tail(forward.out, d));
  EXPECT_EQ(one.entropy, tail(forward.entropy, 1));
}

INSTANTIATE_TEST_SUITE_P(Table, AttentionParity, testing::ValuesIn(all_cases()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace dispersion

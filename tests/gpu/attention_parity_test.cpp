// Streaming attention by the kernels' own source, against softmax attention in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "attention_case.h"
#include "core/attention/softmax.h"
#include "core/attention/streaming_entropy.h"
#include "core/attention/transforms.h"
#include "device_arithmetic.h"
#include "faults.h"
#include "fibres.h"

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

// How often the largest logit of a lane rises at most, on the way past the keys. Lanes have pairs
// of every 8 keys in bf16 and every 16th in float; where they share a largest, it rises no oftener
// than for one lane with all keys.
int rises_of_lanes(const std::vector<double>& logits, bool bf16) {
  int most = 0;
  const auto count = [&](auto takes) {
    int rises = 0;
    double largest = -INFINITY;
    for (std::size_t j = 0; j < logits.size(); ++j) {
      if (!takes(j) || logits[j] <= largest) continue;
      largest = logits[j];
      ++rises;
    }
    most = std::max(most, rises);
  };
  count([](std::size_t) { return true; });
  for (std::size_t lane = 0; lane < (bf16 ? 4 : 16); ++lane)
    count([&](std::size_t j) { return (bf16 ? j % 8 / 2 : j % 16) == lane; });
  return most;
}

// A row by the definition, in double.
struct Row {
  double largest, log_sum_exp, entropy, beta;
  double partial;  // the largest product, and sum of products on the way to a q . k, in size
  // Sum over keys of p |1 - (log p + H)|, p = softmax(e / theta): by how much the entropy changes
  // at most when weights are wrong by parts of themselves, the logits they are weighted with not.
  double entropy_slope;
  // Exponentials that are multiplied to a weight: its own and one whenever the largest rises, and
  // when sums begin anew.
  int exponentials;
  std::vector<double> out;
};

Row exact_row(const AttentionCase& c, const AttentionSequences& s, std::size_t head,
              std::size_t query) {
  const std::size_t n = static_cast<std::size_t>(c.n);
  const std::size_t d = static_cast<std::size_t>(c.d);
  const std::size_t keys = c.causal ? query + 1 : n;
  std::vector<double> logits(keys);
  double largest = -INFINITY;
  double partial = 0;
  StreamingEntropy<double> stream;
  for (std::size_t j = 0; j < keys; ++j) {
    double dot = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const double product = static_cast<double>(s.q[(head * n + query) * d + i]) *
                             static_cast<double>(s.k[(head * n + j) * d + i]);
      dot += product;
      partial = std::max({partial, std::abs(product), std::abs(dot)});
    }
    largest = std::max(largest, dot);
    logits[j] = dot / std::sqrt(static_cast<double>(d));
    stream.push(logits[j] / c.transform.theta);
  }
  std::vector<double> weights(keys);
  const TransformResult result = attention_weights<double>(logits, c.transform, weights);
  Row row{largest,
          stream.max + stream.log_sum_exp_minus_max(),
          stream.entropy(),
          result.beta,
          partial,
          0,
          2 + rises_of_lanes(logits, c.bf16) + c.n / 512,
          std::vector<double>(d)};
  for (const double logit : logits) {
    const double log_p = logit / c.transform.theta - row.log_sum_exp;
    row.entropy_slope += std::exp(log_p) * std::abs(1 - (log_p + row.entropy));
  }
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t i = 0; i < d; ++i)
      row.out[i] += weights[j] * static_cast<double>(s.v[(head * n + j) * d + i]);
  }
  return row;
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
  const AttentionSequences s = attention_sequences(c);
  const AttentionResult result = attend_on_device(c, s);
  const std::size_t n = static_cast<std::size_t>(c.n);
  const std::size_t d = static_cast<std::size_t>(c.d);
  // A weight of exponent x is right to about |x| 2^-24, and those that count have x above -20.
  const double rounding = 1e-6;
  for (std::size_t h = 0; h < static_cast<std::size_t>(c.heads); ++h) {
    for (std::size_t i = 0; i < n; ++i) {
      const Row row = exact_row(c, s, h, i);
      const std::size_t at = h * n + i;
      // What float may leave in a logit: nothing but for rough numbers, where each of up to 256
      // sums is rounded, or cut off by a device's tensor cores.
      const double sum_error =
          c.bf16 ? emulation::kTensorSumError * c.d * row.partial / std::sqrt(c.d) : 0;
      const double logit_error = c.plant == Plant::kRough ? 5e-6 + sum_error : 0;
      ASSERT_NEAR(result.largest[at], row.largest, logit_error * std::sqrt(c.d)) << "row " << i;
      const double weight_error = emulation::kExponentialError * row.exponentials;
      // Stored as a float, whose spacing grows with it.
      ASSERT_NEAR(result.log_sum_exp[at], row.log_sum_exp,
                  rounding + weight_error + logit_error + 2e-7 * std::abs(row.log_sum_exp))
          << "row " << i;
      const double entropy_error = rounding + weight_error * row.entropy_slope + 2 * logit_error;
      ASSERT_NEAR(result.entropy[at], row.entropy, entropy_error) << "row " << i;
      // |d beta / dH| is below 3 where beta is above 1.
      ASSERT_NEAR(result.beta[at], row.beta, rounding + 3 * (entropy_error - rounding))
          << "row " << i;
      // Values up to 2, and beta up to 2.5. In bf16 the weights are rounded, and the output: by
      // 2^-9 of it each; a weight of 2^x, its sum and the sums of tensor cores are wrong on a
      // device besides.
      const double device_error =
          2 * (2 * weight_error + (c.bf16 ? emulation::kTensorSumError * c.n : 0));
      const double out_rounding = (c.bf16 ? 0x1p-9 * 2 * 2 : 5 * rounding) + device_error;
      for (std::size_t j = 0; j < d; ++j) {
        ASSERT_NEAR(result.out[at * d + j], row.out[j], out_rounding + 10 * logit_error)
            << "row " << i << ", channel " << j;
      }
    }
  }
}

TEST_P(AttentionParity, BitsDependNeitherOnTheOrderOfThreadsNorOnTheHeadsBeside) {
  const AttentionCase& c = GetParam();
  const AttentionSequences s = attention_sequences(c);
  const AttentionResult forward = attend_on_device(c, s);
  emulation::set_order(emulation::Order::kBackward);
  EXPECT_EQ(attend_on_device(c, s), forward);
  emulation::set_order(emulation::Order::kShuffled, 7);
  EXPECT_EQ(attend_on_device(c, s), forward);
  AttentionCase last = c;
  last.heads = 1;
  AttentionSequences alone;
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

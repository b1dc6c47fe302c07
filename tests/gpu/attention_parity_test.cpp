// Streaming attention by the kernels' own source, against softmax attention in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention/softmax.h"
#include "core/attention/streaming_entropy.h"
#include "core/precision/rounding.h"
#include "faults.h"
#include "fibres.h"
#include "gpu/attention/streaming_attention.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

enum class Plant {
  kNothing,
  kOutlier,  // one key that every query likes best
  kEqual,    // all logits of a row equal
  kOffset,   // 10,000 added to every logit
  kSharp,    // logits many times as large
  kRough,    // numbers whose products float has to round
};

struct Case {
  std::string name;
  int heads;
  int n;
  int d;
  bool causal = false;
  Plant plant = Plant::kNothing;
  AttentionMap map = {MapKind::kAdaptive, 1, {}};
  bool bf16 = false;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

constexpr AttentionMap kPlain = {MapKind::kSoftmax, 1, {}};

const Case kCases[] = {
    {.name = "OneKey", .heads = 2, .n = 1, .d = 64},
    {.name = "FewKeys", .heads = 3, .n = 7, .d = 64},
    {.name = "JustATile", .heads = 1, .n = 64, .d = 64},
    {.name = "OneMoreThanATile", .heads = 2, .n = 65, .d = 64},
    {.name = "OneLessThanTwoTiles", .heads = 2, .n = 127, .d = 64},
    {.name = "Odd", .heads = 2, .n = 203, .d = 64},
    {.name = "OddCausal", .heads = 2, .n = 203, .d = 64, .causal = true},
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
    {.name = "Warm", .heads = 1, .n = 90, .d = 64, .map = {MapKind::kAdaptive, 0.6, {}}},
    {.name = "Plain", .heads = 2, .n = 203, .d = 64, .map = kPlain},
    {.name = "PlainCausal", .heads = 2, .n = 131, .d = 128, .causal = true, .map = kPlain},
    {.name = "PlainWidest", .heads = 1, .n = 70, .d = 256, .map = kPlain},
    {.name = "PlainOutlier",
     .heads = 1,
     .n = 150,
     .d = 64,
     .plant = Plant::kOutlier,
     .map = {MapKind::kSoftmax, 0.5, {}}},
    {.name = "PlainOffset", .heads = 1, .n = 90, .d = 64, .plant = Plant::kOffset, .map = kPlain},
    {.name = "PlainSharp",
     .heads = 1,
     .n = 140,
     .d = 64,
     .causal = true,
     .plant = Plant::kSharp,
     .map = kPlain},
};

// The cases in float, and those of up to 128 channels in bf16 too, but for the longest: emulated
// tensor cores are slow.
std::vector<Case> all_cases() {
  std::vector<Case> cases(std::begin(kCases), std::end(kCases));
  for (Case c : kCases) {
    if (c.d > 128 || c.n > 150) continue;
    c.name += "InBf16";
    c.bf16 = true;
    if (c.n > 100) c.heads = 1;
    cases.push_back(c);
  }
  return cases;
}

struct Sequences {
  std::vector<float> q, k, v;
};

// Multiples of 1/4 up to 2 in size: every q . k is then exact in float, with the offset too, and a
// test of the offset is one of the kernels alone.
Sequences sequences(const Case& c) {
  std::mt19937 random(static_cast<unsigned>(c.n * 1000 + c.d));
  const auto quarters = [&] { return static_cast<float>(static_cast<int>(random() % 17) - 8) / 4; };
  const std::size_t d = static_cast<std::size_t>(c.d);
  const std::size_t n = static_cast<std::size_t>(c.n);
  Sequences s;
  for (std::vector<float>* array : {&s.q, &s.k, &s.v}) {
    array->resize(static_cast<std::size_t>(c.heads) * n * d);
    for (float& value : *array)
      value = quarters();
  }
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    const bool outlier = i / d % n == n / 3;
    if (c.plant == Plant::kOutlier && i % d == 1) s.q[i] = 2;
    if (c.plant == Plant::kOutlier && i % d == 1 && outlier) s.k[i] = 40;
    if (c.plant == Plant::kEqual) s.k[i] = s.k[i % d];
    if (c.plant == Plant::kOffset && i % d == 0) {
      s.q[i] = 100;
      s.k[i] = std::round(100 * std::sqrt(static_cast<float>(c.d)));
    }
    if (c.plant == Plant::kSharp) s.q[i] *= 16;
    if (c.plant == Plant::kRough) {
      s.q[i] = std::sin(s.q[i] + static_cast<float>(i));
      s.k[i] = 3 * std::sin(s.k[i] + static_cast<float>(3 * i));
    }
  }
  if (c.bf16) {
    for (std::vector<float>* array : {&s.q, &s.k, &s.v})
      round_values(Rounding::kBf16, array->data(), array->data(), array->size());
  }
  return s;
}

struct Result {
  std::vector<float> out, largest, log_sum_exp, entropy, beta;
  bool operator==(const Result&) const = default;
};

void from_float(float x, float& to) {
  to = x;
}
void from_float(float x, Bf16& to) {
  to.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
}

template <class Number>
std::vector<Number> numbers(const std::vector<float>& from) {
  std::vector<Number> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    from_float(from[i], to[i]);
  return to;
}

float to_float(float x) {
  return x;
}
float to_float(Bf16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

template <class Number>
Result on_device_in(const Case& c, const Sequences& s) {
  Stream stream;
  const std::size_t rows = static_cast<std::size_t>(c.heads) * static_cast<std::size_t>(c.n);
  const DeviceBuffer<Number> q(s.q.size()), k(s.k.size()), v(s.v.size()), out(s.q.size());
  const DeviceBuffer<float> largest(rows), log_sum_exp(rows), entropy(rows), beta(rows);
  EXPECT_EQ(emulation::bytes_held(), streaming_attention_bytes<Number>(c.heads, c.n, c.d));
  const std::vector<Number> arrays[] = {numbers<Number>(s.q), numbers<Number>(s.k),
                                        numbers<Number>(s.v)};
  stream.upload<Number>(arrays[0], q.data());
  stream.upload<Number>(arrays[1], k.data());
  stream.upload<Number>(arrays[2], v.data());
  StreamingAttention<Number> request;
  request.heads = c.heads;
  request.n = c.n;
  request.d = c.d;
  request.causal = c.causal;
  request.map = c.map;
  request.q = q.data();
  request.k = k.data();
  request.v = v.data();
  request.out = out.data();
  request.largest = largest.data();
  request.log_sum_exp = log_sum_exp.data();
  request.entropy = entropy.data();
  request.beta = beta.data();
  stream_attention(stream, request);
  std::vector<Number> pooled(out.size());
  stream.download<Number>(out.data(), pooled);
  Result result;
  const auto fetch = [&](const DeviceBuffer<float>& from, std::vector<float>& to) {
    to.resize(from.size());
    stream.download<float>(from.data(), to);
  };
  fetch(largest, result.largest);
  fetch(log_sum_exp, result.log_sum_exp);
  fetch(entropy, result.entropy);
  fetch(beta, result.beta);
  stream.synchronise();
  for (const Number number : pooled)
    result.out.push_back(to_float(number));
  return result;
}

Result on_device(const Case& c, const Sequences& s) {
  return c.bf16 ? on_device_in<Bf16>(c, s) : on_device_in<float>(c, s);
}

// A row by the definition, in double.
struct Row {
  double largest, log_sum_exp, entropy, beta;
  std::vector<double> out;
};

Row exact_row(const Case& c, const Sequences& s, std::size_t head, std::size_t query) {
  const std::size_t n = static_cast<std::size_t>(c.n);
  const std::size_t d = static_cast<std::size_t>(c.d);
  const std::size_t keys = c.causal ? query + 1 : n;
  std::vector<double> logits(keys);
  double largest = -INFINITY;
  StreamingEntropy<double> stream;
  for (std::size_t j = 0; j < keys; ++j) {
    double dot = 0;
    for (std::size_t i = 0; i < d; ++i) {
      dot += static_cast<double>(s.q[(head * n + query) * d + i]) *
             static_cast<double>(s.k[(head * n + j) * d + i]);
    }
    largest = std::max(largest, dot);
    logits[j] = dot / std::sqrt(static_cast<double>(d));
    stream.push(logits[j] / c.map.theta);
  }
  std::vector<double> weights(keys);
  const MapResult result = attention_weights<double>(logits, c.map, weights);
  Row row{largest, stream.max + stream.log_sum_exp_minus_max(), stream.entropy(), result.beta,
          std::vector<double>(d)};
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t i = 0; i < d; ++i)
      row.out[i] += weights[j] * static_cast<double>(s.v[(head * n + j) * d + i]);
  }
  return row;
}

class AttentionParity : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override {
    emulation::set_order(emulation::Order::kForward);
    EXPECT_EQ(emulation::take_guard_report(), "");
    EXPECT_EQ(emulation::bytes_held(), 0U);
  }
};

TEST_P(AttentionParity, AgreesWithDouble) {
  const Case& c = GetParam();
  const Sequences s = sequences(c);
  const Result result = on_device(c, s);
  const std::size_t n = static_cast<std::size_t>(c.n);
  const std::size_t d = static_cast<std::size_t>(c.d);
  // What float may leave in a logit: nothing but for rough numbers, where each of up to 256 sums is
  // rounded.
  const double logit_error = c.plant == Plant::kRough ? 5e-6 : 0;
  // A weight of exponent x is right to about |x| 2^-24, and those that count have x above -20.
  const double rounding = 1e-6;
  // In bf16 the weights are rounded, and the output: by 2^-9 of it each.
  const double out_rounding = c.bf16 ? 0x1p-9 * 2 * 2 : 5 * rounding;
  for (std::size_t h = 0; h < static_cast<std::size_t>(c.heads); ++h) {
    for (std::size_t i = 0; i < n; ++i) {
      const Row row = exact_row(c, s, h, i);
      const std::size_t at = h * n + i;
      ASSERT_NEAR(result.largest[at], row.largest, logit_error * std::sqrt(c.d)) << "row " << i;
      // Stored as a float, whose spacing grows with it.
      ASSERT_NEAR(result.log_sum_exp[at], row.log_sum_exp,
                  rounding + logit_error + 2e-7 * std::abs(row.log_sum_exp))
          << "row " << i;
      ASSERT_NEAR(result.entropy[at], row.entropy, rounding + 2 * logit_error) << "row " << i;
      // |d beta / dH| is below 3 where beta is above 1.
      ASSERT_NEAR(result.beta[at], row.beta, rounding + 6 * logit_error) << "row " << i;
      // Values up to 2, and beta up to 2.5.
      for (std::size_t j = 0; j < d; ++j) {
        ASSERT_NEAR(result.out[at * d + j], row.out[j], out_rounding + 10 * logit_error)
            << "row " << i << ", channel " << j;
      }
    }
  }
}

// A case shows nothing about beta unless beta does something.
TEST(AttentionTable, HasRowsThatAreSharpenedAndRowsThatAreNot) {
  const Case c{.name = "", .heads = 1, .n = 140, .d = 128, .causal = true};
  const Result result = on_device(c, sequences(c));
  EXPECT_EQ(result.beta.front(), 1);
  EXPECT_GT(result.beta.back(), 2);
}

TEST_P(AttentionParity, BitsDependNeitherOnTheOrderOfThreadsNorOnTheHeadsBeside) {
  const Case& c = GetParam();
  const Sequences s = sequences(c);
  const Result forward = on_device(c, s);
  emulation::set_order(emulation::Order::kBackward);
  EXPECT_EQ(on_device(c, s), forward);
  emulation::set_order(emulation::Order::kShuffled, 7);
  EXPECT_EQ(on_device(c, s), forward);
  Case last = c;
  last.heads = 1;
  Sequences alone;
  const auto tail = [&](const std::vector<float>& from, std::size_t width) {
    return std::vector<float>(from.end() - static_cast<std::ptrdiff_t>(c.n * width), from.end());
  };
  const std::size_t d = static_cast<std::size_t>(c.d);
  alone = {tail(s.q, d), tail(s.k, d), tail(s.v, d)};
  const Result one = on_device(last, alone);
  EXPECT_EQ(one.out, tail(forward.out, d));
  EXPECT_EQ(one.entropy, tail(forward.entropy, 1));
}

// NaN is not mistaken for a masked key, and stays in its row.
TEST(StreamingAttention, NanShows) {
  Case c{.name = "", .heads = 1, .n = 70, .d = 64};
  Sequences s = sequences(c);
  s.q[3 * 64 + 5] = NAN;
  for (const bool bf16 : {false, true}) {
    c.bf16 = bf16;
    for (const MapKind kind : {MapKind::kSoftmax, MapKind::kAdaptive}) {
      c.map.kind = kind;
      const Result result = on_device(c, s);
      EXPECT_TRUE(std::isnan(result.out[3 * 64]));
      EXPECT_TRUE(std::isnan(result.entropy[3]));
      EXPECT_FALSE(std::isnan(result.out[4 * 64]));
    }
  }
}

class RefusedRequest : public testing::Test {
 protected:
  std::string refused() {
    try {
      stream_attention(stream_, request_);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  Stream stream_;
  DeviceBuffer<float> memory_{8 * 64};
  StreamingAttention<float> request_ = {.heads = 1,
                                        .n = 1,
                                        .d = 64,
                                        .q = memory_.data(),
                                        .k = memory_.data() + 64,
                                        .v = memory_.data() + 128,
                                        .out = memory_.data() + 192,
                                        .largest = memory_.data() + 256,
                                        .log_sum_exp = memory_.data() + 260,
                                        .entropy = memory_.data() + 264,
                                        .beta = memory_.data() + 268};
};

TEST_F(RefusedRequest, SaysWhatIsWrong) {
  EXPECT_EQ(refused(), "");
  const StreamingAttention<float> right = request_;
  request_.heads = 0;
  EXPECT_EQ(refused(), "streaming attention: 0 heads; 1 to 65535 are possible");
  request_ = right;
  request_.n = -3;
  EXPECT_EQ(refused(), "streaming attention: n is -3; it must be at least 1");
  request_ = right;
  request_.d = 96;
  EXPECT_EQ(refused(), "streaming attention: d is 96; it must be 64, 128 or 256");
  request_ = right;
  request_.map.theta = 0;
  EXPECT_EQ(refused(), "streaming attention: theta is 0.000000; it must be above 0");
  request_ = right;
  request_.map.kind = MapKind::kHard;
  EXPECT_EQ(refused(), "streaming attention: hard attention is not offered");
  request_ = right;
  request_.v = nullptr;
  EXPECT_EQ(refused(), "streaming attention: v is missing");
  request_ = right;
  request_.k += 1;
  EXPECT_EQ(refused(), "streaming attention: k is not aligned to 16 bytes");
  request_ = right;
  request_.beta = nullptr;
  EXPECT_EQ(refused(), "streaming attention: beta is missing");
}

TEST_F(RefusedRequest, OldDevicesHaveOnlyFloatsOf64Channels) {
  emulation::machine().major = 7;
  EXPECT_EQ(refused(), "");
  request_.d = 128;
  EXPECT_THROW(stream_attention(stream_, request_), std::runtime_error);
  emulation::reset_machine();
}

TEST(StreamingAttention, OldDevicesHaveNoTensorCoresForBf16) {
  emulation::machine().major = 7;
  const Case c{.name = "", .heads = 1, .n = 2, .d = 64, .bf16 = true};
  EXPECT_THROW(on_device(c, sequences(c)), std::runtime_error);
  emulation::reset_machine();
}

INSTANTIATE_TEST_SUITE_P(Table, AttentionParity, testing::ValuesIn(all_cases()),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace dispersion

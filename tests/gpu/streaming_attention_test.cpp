// What streaming attention asks of its callers, and what it keeps apart.

#include "gpu/attention/streaming_attention.h"
#include "core/attention/sequence_attention.h"
#include "core/attention/transforms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "attention_case.h"
#include "faults.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

// A case shows nothing about beta unless beta does something.
TEST(AttentionTable, HasRowsThatAreSharpenedAndRowsThatAreNot) {
  const AttentionCase c{.name = "", .heads = 1, .n = 140, .d = 128, .causal = true};
  const AttentionResult result = attend_on_device(c, attention_sequences(c));
  EXPECT_EQ(result.beta.front(), 1);
  EXPECT_GT(result.beta.back(), 2);
}

// NaN is not mistaken for a masked key, and stays in its row.
TEST(StreamingAttention, NanShows) {
  AttentionCase c{.name = "", .heads = 1, .n = 70, .d = 64};
  Sequences s = attention_sequences(c);
  s.q[3 * 64 + 5] = NAN;
  for (const bool bf16 : {false, true}) {
    c.bf16 = bf16;
    for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
      c.transform.id = kind;
      const AttentionResult result = attend_on_device(c, s);
      EXPECT_TRUE(std::isnan(result.out[3 * 64]));
      EXPECT_TRUE(std::isnan(result.entropy[3]));
      EXPECT_FALSE(std::isnan(result.out[4 * 64]));
    }
  }
}

// Keys and values past a head's last are the next head's; they must not be touched.
TEST(StreamingAttention, NanStaysInItsHead) {
  AttentionCase c{.name = "", .heads = 2, .n = 70, .d = 64};
  Sequences s = attention_sequences(c);
  for (std::vector<float>* array : {&s.q, &s.k, &s.v})
    std::fill(array->begin() + 70 * 64, array->end(), NAN);
  for (const bool bf16 : {false, true}) {
    c.bf16 = bf16;
    for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
      c.transform.id = kind;
      const AttentionResult result = attend_on_device(c, s);
      for (std::size_t i = 0; i < 70 * 64; ++i)
        ASSERT_FALSE(std::isnan(result.out[i])) << i;
      EXPECT_TRUE(std::isnan(result.out.back()));
    }
  }
}

// In calls of one tile and of two, the last of them short.
TEST(StreamingAttention, CallsOfFewQueriesGiveTheBitsOfOne) {
  for (const bool causal : {false, true}) {
    for (const bool bf16 : {false, true}) {
      for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
        AttentionCase c{.name = "", .heads = 2, .n = 140, .d = 64, .causal = causal, .bf16 = bf16};
        c.transform.id = kind;
        const Sequences s = attention_sequences(c);
        const AttentionResult whole = attend_on_device(c, s);
        for (const int queries : {64, 128}) {
          c.queries = queries;
          EXPECT_EQ(attend_on_device(c, s), whole) << queries;
        }
      }
    }
  }
}

// At most so many at a time: one head and one tile after another, and more of them.
TEST(StreamingAttention, FewBlocksAtATimeGiveTheBitsOfAll) {
  for (const bool bf16 : {false, true}) {
    for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
      AttentionCase c{.name = "", .heads = 3, .n = 140, .d = 64, .causal = true, .bf16 = bf16};
      c.transform.id = kind;
      const Sequences s = attention_sequences(c);
      const AttentionResult whole = attend_on_device(c, s);
      for (const int blocks : {1, 2, 7}) {
        c.most_blocks = blocks;
        EXPECT_EQ(attend_on_device(c, s), whole) << blocks;
      }
    }
  }
}

// Whether attention takes exactly so many launches: the device is lost at the next.
bool takes_launches(const AttentionCase& c, int launches) {
  const Sequences s = attention_sequences(c);
  const auto lost_after = [&](int enough) {
    emulation::machine().launches_to_loss = enough;
    bool lost = false;
    try {
      attend_on_device(c, s);
    } catch (const CudaError&) {
      lost = true;
    }
    emulation::reset_machine();
    return lost;
  };
  return lost_after(launches - 1) && !lost_after(launches);
}

// Three heads of three tiles, in two passes.
TEST(StreamingAttention, ALaunchHasNoMoreBlocksThanAsked) {
  AttentionCase c{.name = "", .heads = 3, .n = 140, .d = 64};
  EXPECT_TRUE(takes_launches(c, 2));
  for (const auto& [blocks, launches] : {std::pair{1, 18}, {2, 12}, {3, 6}, {8, 4}, {9, 2}}) {
    c.most_blocks = blocks;
    EXPECT_TRUE(takes_launches(c, launches)) << blocks;
  }
}

// As tests/gpu/attention_parity_test.cpp says why.
double out_error(bool bf16) {
  return bf16 ? 0x1p-7 : 5e-6;
}

// Attention as defined, in double; as near as tests/gpu/attention_parity_test.cpp says why: beta,
// whose slope is 3, by three times as much as the entropy.
void expect_as_defined(const AttentionCase& c) {
  const Sequences s = attention_sequences(c);
  const AttentionResult result = attend_on_device(c, s);
  const SequenceAttention attention = definition_of(c);
  for (int i = 0; i < c.n; ++i) {
    const AttendedRow row = attend_row(attention, s, 0, i);
    const auto at = static_cast<std::size_t>(i);
    ASSERT_NEAR(result.entropy[at], row.entropy, 1e-6) << c.name << ", row " << i;
    ASSERT_NEAR(result.beta[at] / static_cast<float>(row.beta), 1, 3e-6) << c.name;
    const auto log_sum_exp = static_cast<float>(row.log_sum_exp);
    if (std::isinf(log_sum_exp))
      ASSERT_EQ(result.log_sum_exp[at], log_sum_exp) << c.name;
    else
      ASSERT_NEAR(result.log_sum_exp[at], log_sum_exp, 1e-6 + 2e-7 * std::abs(log_sum_exp))
          << c.name;
    for (std::size_t j = 0; j < row.out.size(); ++j)
      ASSERT_NEAR(result.out[at * row.out.size() + j], row.out[j], out_error(c.bf16))
          << c.name << ", row " << i;
  }
}

// Equal logits and different ones, one key and several tiles, first rows that see one key: at
// every theta, until that of the smallest float and beyond, and up to where all weights are equal.
TEST(StreamingAttention, EveryThetaIsAsDefined) {
  const double thetas[] = {
      1e-300, std::numeric_limits<float>::denorm_min(), 1e-38, 3e-10, 1e-6, 1e9, 1e30, 1e300};
  for (const double theta : thetas) {
    for (const bool bf16 : {false, true}) {
      for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
        for (const auto& [n, plant] : {std::pair{1, Plant::kNothing},
                                       {70, Plant::kNothing},
                                       {70, Plant::kEqual},
                                       {70, Plant::kOutlier}}) {
          AttentionCase c{.name = "",
                          .heads = 1,
                          .n = n,
                          .d = 64,
                          .causal = true,
                          .plant = plant,
                          .bf16 = bf16};
          c.name = "theta " + std::to_string(theta) + ", n " + std::to_string(n);
          c.transform = {kind, theta, {}};
          ASSERT_NO_FATAL_FAILURE(expect_as_defined(c));
        }
      }
    }
  }
}

// A rule that asks for more than a float holds, or nearly.
TEST(StreamingAttention, EveryBetaIsAsDefined) {
  for (const double beta : {1e4, 1e30, 3e38, 1e300}) {
    for (const bool bf16 : {false, true}) {
      AttentionCase c{.name = "", .heads = 1, .n = 70, .d = 64, .causal = true, .bf16 = bf16};
      c.transform.rule.coefficients = {0, 0, 0, 0, beta};
      const Sequences s = attention_sequences(c);
      const AttentionResult result = attend_on_device(c, s);
      const SequenceAttention attention = definition_of(c);
      for (int i = 0; i < c.n; ++i) {
        const AttendedRow row = attend_row(attention, s, 0, i);
        ASSERT_EQ(result.beta[static_cast<std::size_t>(i)], static_cast<float>(row.beta));
        for (std::size_t j = 0; j < row.out.size(); ++j)
          ASSERT_NEAR(result.out[static_cast<std::size_t>(i * c.d) + j], row.out[j],
                      out_error(bf16))
              << beta << ", row " << i;
      }
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
  EXPECT_EQ(refused(), "streaming attention: n is -3; it must be between 1 and 1073741824");
  request_.n = (1 << 30) + 1;
  EXPECT_EQ(refused(), "streaming attention: n is 1073741825; it must be between 1 and 1073741824");
  request_ = right;
  request_.most_blocks = 0;
  EXPECT_EQ(refused(), "streaming attention: most_blocks is 0; it must be at least 1");
  request_ = right;
  request_.n = 200;
  request_.first_query = 32;
  EXPECT_EQ(refused(),
            "streaming attention: first_query is 32; it must be a multiple of 64 below n = 200");
  request_.first_query = 256;
  EXPECT_EQ(refused(),
            "streaming attention: first_query is 256; it must be a multiple of 64 below n = 200");
  request_.first_query = 64;
  request_.queries = 70;
  EXPECT_EQ(refused(),
            "streaming attention: 70 queries; a multiple of 64, or the 136 that are left");
  request_.queries = 192;
  EXPECT_EQ(refused(),
            "streaming attention: 192 queries; a multiple of 64, or the 136 that are left");
  request_ = right;
  request_.d = 96;
  EXPECT_EQ(refused(), "streaming attention: d is 96; it must be 64, 128 or 256");
  request_ = right;
  request_.transform.theta = 0;
  EXPECT_EQ(refused(), "streaming attention: softmax: theta is 0; it must be above 0");
  request_ = right;
  request_.transform.id = TransformId::kHard;
  EXPECT_EQ(refused(), "streaming attention: hard is not offered; there are softmax and adaptive");
  request_.transform = usual_transform(TransformId::kLogN);
  EXPECT_EQ(refused(), "streaming attention: log-n is not offered; there are softmax and adaptive");
  request_.transform.id = static_cast<TransformId>(99);
  EXPECT_EQ(refused(), "streaming attention: there is no attention transform 99");
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

// Devices of 7.5 have 64 KB of shared memory and no code for bf16, of 8.6, 8.9 and 12.0 99, of 8.0
// 163, and of 9.0 227. Which queries a block takes together changes no bit.
TEST(StreamingAttention, FitsEveryDevice) {
  for (const int d : {64, 128, 256}) {
    for (const bool bf16 : {false, true}) {
      for (const TransformId kind : {TransformId::kSoftmax, TransformId::kAdaptive}) {
        AttentionCase c{.name = "", .heads = 1, .n = 70, .d = d, .causal = true, .bf16 = bf16};
        c.transform.id = kind;
        const Sequences s = attention_sequences(c);
        const AttentionResult most = attend_on_device(c, s);
        emulation::machine().shared_bytes = std::size_t{bf16 ? 99U : 64U} << 10;
        EXPECT_EQ(attend_on_device(c, s), most) << "d = " << d << (bf16 ? ", bf16" : "");
        emulation::reset_machine();
      }
    }
  }
}

TEST(StreamingAttention, SaysWhereSharedMemoryIsShort) {
  emulation::machine().shared_bytes = std::size_t{48} << 10;
  const AttentionCase c{.name = "", .heads = 1, .n = 2, .d = 64};
  try {
    attend_on_device(c, attention_sequences(c));
    FAIL() << "attended without shared memory";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "streaming attention: d = 64 needs 52224 bytes of shared memory; the device has "
                 "49152");
  }
  emulation::reset_machine();
}

// A device of 9.0 runs what was compiled for 7.5, too.
TEST(StreamingAttention, CodeForOldDevicesDoesNotAttendInBf16) {
  emulation::machine().compiled_for = 75;
  const AttentionCase c{.name = "", .heads = 1, .n = 2, .d = 64, .bf16 = true};
  EXPECT_THROW(attend_on_device(c, attention_sequences(c)), std::runtime_error);
  emulation::reset_machine();
}

}  // namespace
}  // namespace dispersion

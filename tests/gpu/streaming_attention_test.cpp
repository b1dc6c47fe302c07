// What streaming attention asks of its callers, and what it keeps apart.

#include "gpu/attention/streaming_attention.h"
#include "core/attention/transforms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
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
  AttentionSequences s = attention_sequences(c);
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
  AttentionSequences s = attention_sequences(c);
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
        const AttentionSequences s = attention_sequences(c);
        const AttentionResult whole = attend_on_device(c, s);
        for (const int queries : {64, 128}) {
          c.queries = queries;
          EXPECT_EQ(attend_on_device(c, s), whole) << queries;
        }
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
  EXPECT_EQ(refused(), "streaming attention: n is -3; it must be at least 1");
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

// Devices of 7.5 have 64 KB of shared memory, of 8.6 and 8.9 99, of 8.0 163, and of 9.0 227.
TEST(StreamingAttention, SaysWhereSharedMemoryIsShort) {
  struct Need {
    std::size_t kilobytes;
    int d;
    bool bf16;
    bool enough;
  };
  for (const Need need :
       {Need{64, 64, false, true}, Need{64, 128, false, false}, Need{99, 128, true, true},
        Need{99, 256, false, true}, Need{99, 256, true, false}, Need{163, 256, true, true}}) {
    emulation::machine().shared_bytes = need.kilobytes << 10;
    const AttentionCase c{.name = "", .heads = 1, .n = 2, .d = need.d, .bf16 = need.bf16};
    std::string error;
    try {
      attend_on_device(c, attention_sequences(c));
    } catch (const std::runtime_error& why) {
      error = why.what();
    }
    const std::string has = "the device has " + std::to_string(need.kilobytes << 10);
    EXPECT_EQ(error.empty(), need.enough) << need.kilobytes << " KB, d = " << need.d;
    EXPECT_EQ(error.find(has) != std::string::npos, !need.enough) << error;
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

// How attention is cut into calls.

#include "gpu/attention/timed_attention.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace dispersion {
namespace {

struct Call {
  int first;
  int queries;
};

class TimedAttentionTest : public testing::Test {
 protected:
  AttendQueries remember(int milliseconds = 0) {
    return [this, milliseconds](int first, int queries) {
      calls_.push_back({first, queries});
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    };
  }

  std::vector<Call> calls_;
  SequenceAttention attention_ = {.heads = 2, .n = 1000, .d = 64};
};

TEST_F(TimedAttentionTest, ShortSequencesAreOneCall) {
  EXPECT_TRUE(time_attention(attention_, remember(), {}));
  ASSERT_EQ(calls_.size(), 4U);  // one to begin with, three that count
  for (const Call& call : calls_) {
    EXPECT_EQ(call.first, 0);
    EXPECT_EQ(call.queries, 1000);
  }
}

// Of whatever length: every query once each time, in order, in whole tiles but for the last.
TEST_F(TimedAttentionTest, CallsTakeEveryQueryOnce) {
  EXPECT_TRUE(time_attention(attention_, remember(), {}, 0));
  int next = 0;
  int times = 0;
  for (const Call& call : calls_) {
    ASSERT_EQ(call.first, next % 1000);
    EXPECT_TRUE(call.queries % 64 == 0 || call.first + call.queries == 1000);
    next = call.first + call.queries;
    times += next == 1000;
  }
  EXPECT_EQ(times, 4);
  EXPECT_EQ(calls_.front().queries, 64);
  EXPECT_GT(calls_.size(), 4U);
}

// Two tiles' worth of products.
TEST_F(TimedAttentionTest, TheShortestCallIsOfAsManyProducts) {
  time_attention(attention_, remember(), {}, 2.0 * 64 * 2 * 1000 * 64);
  EXPECT_EQ(calls_.front().queries, 128);
}

// Slow calls, at least 100 ms each, stay as short as can be.
TEST_F(TimedAttentionTest, SlowCallsStayShortAndHearAStop) {
  double heard = 0;
  EXPECT_FALSE(time_attention(
      attention_, remember(125),
      [&](double share) {
        heard = share;
        return calls_.size() < 3;
      },
      0));
  ASSERT_EQ(calls_.size(), 3U);
  EXPECT_EQ(calls_.back().queries, 64);
  EXPECT_DOUBLE_EQ(heard, 3 * 64 / 1000.0 / 4);
}

}  // namespace
}  // namespace dispersion

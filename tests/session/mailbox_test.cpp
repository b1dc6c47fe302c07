#include "app/session/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace dispersion {
namespace {

TEST(Latest, KeepsTheNewestOnly) {
  Latest<int> box;
  EXPECT_FALSE(box.take());
  box.put(1);
  box.put(2);
  EXPECT_EQ(box.take(), 2);
  EXPECT_FALSE(box.take());
}

TEST(Latest, NeverGoesBackBetweenThreads) {
  constexpr int kLast = 20000;
  Latest<int> box;
  std::jthread writer([&] {
    for (int i = 1; i <= kLast; ++i)
      box.put(i);
  });
  int last = 0;
  while (last < kLast) {
    const std::optional<int> value = box.take();
    if (!value) continue;
    ASSERT_GT(*value, last);
    last = *value;
  }
}

TEST(Drain, KeepsEverythingInOrder) {
  Drain<int> box;
  box.put(1);
  box.put_all({2, 3});
  EXPECT_EQ(box.take_all(), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(box.take_all().empty());
}

TEST(Drain, LosesNothingBetweenThreads) {
  constexpr int kLast = 20000;
  Drain<int> box;
  std::jthread writer([&] {
    for (int i = 1; i <= kLast; i += 2) {
      box.put(i);
      box.put_all({i + 1});
    }
  });
  int last = 0;
  while (last < kLast) {
    for (const int value : box.take_all())
      ASSERT_EQ(value, ++last);
  }
}

TEST(WakeSignal, ANotificationBeforeTheWaitIsNotLost) {
  WakeSignal wake_signal;
  wake_signal.notify();
  wake_signal.notify();
  wake_signal.wait({});  // returns
  std::atomic<bool> woken = false;
  std::jthread sleeper([&](std::stop_token stop) {
    wake_signal.wait(stop);  // the notifications above count as one: sleeps until the next
    woken = true;
  });
  wake_signal.notify();
  sleeper.join();
  EXPECT_TRUE(woken);
}

TEST(WakeSignal, AStopWakes) {
  WakeSignal wake_signal;
  std::jthread sleeper([&](std::stop_token stop) { wake_signal.wait(stop); });
  sleeper.request_stop();
  sleeper.join();  // returns
}

}  // namespace
}  // namespace dispersion

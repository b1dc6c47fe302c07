#include "app/session/thread_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace dispersion {
namespace {

int niceness() {
  return getpriority(PRIO_PROCESS, 0);
}

TEST(ThreadPriority, AWorkerAndItsHelpersGiveWayAndNobodyElse) {
  const int before = niceness();
  int worker = before;
  int helper = before;
  std::thread([&] {
    give_way_to_window();
    worker = niceness();
    std::thread([&] { helper = niceness(); }).join();
  }).join();
  EXPECT_GT(worker, std::min(before, 18));  // 19 is the lowest priority that there is
  EXPECT_EQ(helper, worker);
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace dispersion

// Reading which state of the window an exported figure was made from, beside the window.

#include "app/session/figure_opener.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

// The thread that reads is held up for as long as the test wants, as a slow disk would do.
class FigureOpenerTest : public testing::Test {
 protected:
  ~FigureOpenerTest() override { let_go(); }

  void held_up() {
    std::unique_lock lock(mutex_);
    ++answers_;
    woken_ = gone_.wait_for(lock, std::chrono::seconds(20), [this] { return let_go_; }) && woken_;
  }
  void let_go() {
    std::lock_guard lock(mutex_);
    let_go_ = true;
    gone_.notify_all();
  }
  // The newest answer after so many.
  FigureState answer(int number) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (answers_ < number && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return opener_.take().value_or(FigureState());
  }

  TemporaryFolder folder_;
  std::mutex mutex_;
  std::condition_variable gone_;
  bool let_go_ = false;
  bool woken_ = true;  // the thread went on because it was let go
  std::atomic<int> answers_ = 0;
  FigureOpener opener_{[this] { held_up(); }};
};

TEST_F(FigureOpenerTest, TheWindowDoesNotWaitForTheFileBefore) {
  EXPECT_FALSE(opener_.reading());
  opener_.read(folder_ / "first.svg");
  EXPECT_NE(answer(1).error.find("first.svg"), std::string::npos);
  opener_.read(folder_ / "second.svg");  // while the thread is still at the first
  opener_.read(folder_ / "third.svg");
  EXPECT_TRUE(opener_.reading());
  let_go();
  EXPECT_NE(answer(2).error.find("third.svg"), std::string::npos);
  EXPECT_EQ(answers_, 2);
  EXPECT_FALSE(opener_.reading());
  std::lock_guard lock(mutex_);
  EXPECT_TRUE(woken_);
}

}  // namespace
}  // namespace dispersion

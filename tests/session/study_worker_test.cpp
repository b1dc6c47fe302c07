// Studies beside the training: the newest request counts, everything can be stopped, and what was
// set aside goes on.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/session/study_fixture.h"

namespace dispersion {
namespace {

using namespace std::chrono_literals;

TEST_F(StudyWorkerTest, AResultComesBackOnce) {
  worker_->request(View::kFit, 1, quick("done"));
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "done");
  EXPECT_EQ(news_.share, 1);
  EXPECT_GE(wakes_, 1);
  EXPECT_FALSE(worker_->take_news(View::kFit).has_value());
  EXPECT_FALSE(worker_->take_news(View::kTable).has_value());
}

TEST_F(StudyWorkerTest, OnlyTheNewestOfAViewCounts) {
  std::atomic<int> begun{0};
  worker_->request(View::kFit, 1, endless(begun));
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(View::kFit, 2, endless(begun));
  worker_->request(View::kFit, 3, quick("newest"));
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 3));
  EXPECT_EQ(seen_->figure.title, "newest");
}

TEST_F(StudyWorkerTest, TellsWhatItHasSoFarAndHowLongItTakes) {
  std::atomic<bool> go_on{false};
  worker_->request(View::kTable, 1, [&](StudyTools&, StudyProgress& progress) {
    Figure partial;
    partial.title = "half";
    progress.show(partial);
    while (!go_on && progress.keep_going(0.5))
      std::this_thread::sleep_for(1ms);
    return titled("whole");
  });
  ASSERT_TRUE(until([&] {
    auto news = worker_->take_news(View::kTable);
    return news && news->result && news->result->figure.title == "half" && news->share == 0.5;
  }));
  go_on = true;
  ASSERT_TRUE(arrives(View::kTable, StudyPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "whole");
}

TEST_F(StudyWorkerTest, EstimatesTheTimeLeftFromTheShareDoneSinceItsBeginning) {
  std::atomic<double> left{-1};
  worker_->request(View::kTable, 1, [&](StudyTools&, StudyProgress& progress) {
    // Taken up at 0.5 and through a tenth in the time that passes: four tenths are left.
    progress.keep_going(0.5);
    std::this_thread::sleep_for(500ms);
    progress.keep_going(0.6);
    return titled("");
  });
  ASSERT_TRUE(until([&] {
    const auto news = worker_->take_news(View::kTable);
    if (news && news->phase == StudyPhase::kRunning && news->share == 0.6) {
      left = news->seconds_left / news->seconds;
      return true;
    }
    return news && news->phase == StudyPhase::kDone;
  }));
  if (left >= 0) {
    EXPECT_NEAR(left, 4, 1e-6);
  }
}

TEST_F(StudyWorkerTest, StopsAndGoesOnWithWhatItKept) {
  const auto cells = std::make_shared<std::atomic<int>>(0);
  const auto stop_at = std::make_shared<std::atomic<int>>(3);
  const StudyJob job = [=](StudyTools&, StudyProgress& progress) {
    while (*cells < 10) {
      while (*cells == *stop_at && progress.keep_going(*cells / 10.0))
        std::this_thread::sleep_for(1ms);
      if (!progress.keep_going(*cells / 10.0)) return titled("stopped");
      ++*cells;
    }
    return titled("full");
  };
  worker_->request(View::kTable, 1, job);
  ASSERT_TRUE(until([&] { return *cells == 3; }));
  worker_->stop(View::kTable);
  ASSERT_TRUE(arrives(View::kTable, StudyPhase::kStopped, 1));
  EXPECT_EQ(*cells, 3);
  *stop_at = -1;
  worker_->request(View::kTable, 2, job);
  ASSERT_TRUE(arrives(View::kTable, StudyPhase::kDone, 2));
  EXPECT_EQ(seen_->figure.title, "full");
  EXPECT_EQ(*cells, 10);
}

TEST_F(StudyWorkerTest, AStudyThatWaitsCanBeStoppedToo) {
  std::atomic<int> begun{0};
  std::atomic<int> other{0};
  worker_->bring_to_front(View::kTable);
  worker_->request(View::kTable, 1, endless(begun));
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(View::kFit, 1, endless(other));
  worker_->stop(View::kFit);
  worker_->stop(View::kTable);
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kStopped, 1));
  EXPECT_EQ(other, 0);
}

TEST_F(StudyWorkerTest, TheViewInFrontComesFirstAndTheOtherGoesOnAfterwards) {
  std::atomic<int> begun{0};
  std::atomic<bool> release{false};
  worker_->bring_to_front(View::kTable);
  worker_->request(View::kTable, 1, [&](StudyTools&, StudyProgress& progress) {
    ++begun;
    while (!release && progress.keep_going(0.1))
      std::this_thread::sleep_for(1ms);
    return titled("long");
  });
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(View::kFit, 1, quick("short"));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(begun, 1);  // behind, it waits
  worker_->bring_to_front(View::kFit);
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 1));
  ASSERT_TRUE(until([&] { return begun == 2; }));
  release = true;
  ASSERT_TRUE(arrives(View::kTable, StudyPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "long");
}

TEST_F(StudyWorkerTest, WhatAStudyThrowsIsToldAndTheNextOneRuns) {
  worker_->request(View::kFit, 1, [](StudyTools&, StudyProgress&) -> StudyResult {
    throw std::runtime_error("all sets were dropped");
  });
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kFailed, 1));
  EXPECT_EQ(news_.error, "all sets were dropped");
  worker_->request(View::kFit, 2, quick("better"));
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 2));
}

TEST_F(StudyWorkerTest, AMissingBackendIsTold) {
  worker_ = std::make_unique<StudyWorker>(
      StudySource{[](const BackendChoice&) { return nullptr; }, {}}, [] {});
  worker_->request(View::kFit, 1, asks_for_backend());
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kFailed, 1));
  EXPECT_NE(news_.error.find("backend"), std::string::npos);
}

TEST_F(StudyWorkerTest, ComputesWithWhatIsChosenFromTheNextStudyOn) {
  const auto computed = [&](std::uint64_t id) {
    worker_->request(View::kFit, id, asks_for_backend());
    EXPECT_TRUE(arrives(View::kFit, StudyPhase::kDone, id));
    return seen_->figure.title;
  };
  EXPECT_EQ(computed(1), "cpu");
  worker_->use({BackendChoice::Kind::kCuda, 1});
  EXPECT_EQ(computed(2), "cuda:1");
  const Provenance expected = {{"backend", "cuda:1"}};
  EXPECT_EQ(seen_->figure.provenance, expected);
  worker_->use({BackendChoice::Kind::kCpu, 0});
  EXPECT_EQ(computed(3), "cpu");
  worker_->request(View::kFit, 4, quick("without"));
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 4));
  EXPECT_TRUE(seen_->figure.provenance.empty());  // nothing was computed with
}

// A device that is lost, or cannot be had, is not asked again before something else was chosen.
TEST_F(StudyWorkerTest, TheCpuComputesWhereTheDeviceFails) {
  std::atomic<bool> lost{true};
  std::atomic<bool> full{false};
  std::atomic<int> made{0};
  worker_ = std::make_unique<StudyWorker>(
      StudySource{[&](const BackendChoice& choice) -> std::unique_ptr<Backend> {
                    if (choice.kind == BackendChoice::Kind::kCuda) {
                      ++made;
                      if (full) throw std::runtime_error("the device is full");
                    }
                    return std::make_unique<FakeBackend>(control_, backend_name(choice));
                  },
                  {}},
      [] {});
  const auto computed = [&](std::uint64_t id) {
    worker_->request(View::kFit, id, [&](StudyTools& tools, StudyProgress&) {
      const std::string name = tools.backend().description();
      if (name == "cuda:0" && lost) throw DeviceLost("the device was lost");
      return titled(name);
    });
    EXPECT_TRUE(arrives(View::kFit, StudyPhase::kDone, id));
    return seen_->figure.title + ", " + seen_->figure.provenance.front().second;
  };
  const BackendChoice device = {BackendChoice::Kind::kCuda, 0};
  worker_->use(device);
  EXPECT_EQ(computed(1), "cpu, cpu: the device was lost");
  worker_->use(device);
  EXPECT_EQ(computed(2), "cpu, cpu: the device was lost");
  EXPECT_EQ(made, 1);
  worker_->use({BackendChoice::Kind::kCpu, 0});
  EXPECT_EQ(computed(3), "cpu, cpu");
  lost = false;
  worker_->use(device);
  EXPECT_EQ(computed(4), "cuda:0, cuda:0");
  worker_->use({BackendChoice::Kind::kCpu, 0});
  EXPECT_EQ(computed(5), "cpu, cpu");
  full = true;
  worker_->use(device);
  EXPECT_EQ(computed(6), "cpu, cpu: the device is full");
}

TEST_F(StudyWorkerTest, ADeviceLostOnTheCpuIsAnError) {
  worker_->request(View::kFit, 1, [](StudyTools&, StudyProgress&) -> StudyResult {
    throw DeviceLost("cannot be");
  });
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kFailed, 1));
}

TEST_F(StudyWorkerTest, ClosesInTheMiddle) {
  std::atomic<int> begun{0};
  worker_->request(View::kFit, 1, asks_for_backend());
  ASSERT_TRUE(arrives(View::kFit, StudyPhase::kDone, 1));
  worker_->request(View::kTable, 1, endless(begun));
  worker_->request(View::kFit, 2, endless(begun));
  ASSERT_TRUE(until([&] { return begun >= 1; }));
  worker_.reset();
  EXPECT_TRUE(control_->destroyed);
}

TEST_F(StudyWorkerTest, SurvivesAStorm) {
  std::atomic<int> begun{0};
  std::uint64_t id = 0;
  for (int i = 0; i < 300; ++i) {
    const View view = static_cast<View>(1 + i % 3);
    worker_->bring_to_front(static_cast<View>(1 + i * 7 % 4));
    if (i % 5 == 0) {
      worker_->stop(view);
    } else {
      worker_->request(view, ++id, i % 2 == 0 ? endless(begun) : quick("quick"));
    }
    if (i % 16 == 0) std::this_thread::sleep_for(1ms);
  }
  for (int view = 1; view <= 3; ++view)
    worker_->stop(static_cast<View>(view));
  worker_->request(View::kDepth, 1, quick("last"));
  ASSERT_TRUE(arrives(View::kDepth, StudyPhase::kDone, 1));
}

}  // namespace
}  // namespace dispersion

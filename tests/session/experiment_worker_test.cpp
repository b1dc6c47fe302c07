// Experiments beside the training: the newest request counts, everything can be stopped, and what
// was set aside goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/session/experiment_fixture.h"

namespace dispersion {
namespace {

using namespace std::chrono_literals;

TEST_F(ExperimentWorkerTest, AResultComesBackOnce) {
  worker_->request(kFitView, 1, quick("done"));
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "done");
  EXPECT_EQ(update_.share, 1);
  EXPECT_GE(wakes_, 1);
  EXPECT_FALSE(worker_->take_update(kFitView).has_value());
  EXPECT_FALSE(worker_->take_update(kTableView).has_value());
}

TEST_F(ExperimentWorkerTest, OnlyTheNewestOfAViewCounts) {
  std::atomic<int> begun{0};
  worker_->request(kFitView, 1, endless(begun));
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(kFitView, 2, endless(begun));
  worker_->request(kFitView, 3, quick("newest"));
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 3));
  EXPECT_EQ(seen_->figure.title, "newest");
}

TEST_F(ExperimentWorkerTest, TellsWhatItHasSoFarAndHowLongItTakes) {
  std::atomic<bool> go_on{false};
  worker_->request(kTableView, 1,
                   [&](ExperimentBackends&, const Progress& keep_going, const ShowFigure& show) {
                     Figure partial;
                     partial.title = "half";
                     show(partial);
                     while (!go_on && keep_going(0.5))
                       std::this_thread::sleep_for(1ms);
                     return titled("whole");
                   });
  ASSERT_TRUE(until([&] {
    auto update = worker_->take_update(kTableView);
    return update && update->result && update->result->figure.title == "half" &&
           update->share == 0.5;
  }));
  go_on = true;
  ASSERT_TRUE(arrives(kTableView, ExperimentPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "whole");
}

TEST_F(ExperimentWorkerTest, EstimatesTheTimeLeftFromTheShareDoneSinceItsBeginning) {
  std::atomic<double> left{-1};
  worker_->request(kTableView, 1,
                   [&](ExperimentBackends&, const Progress& keep_going, const ShowFigure&) {
                     // Taken up at 0.5 and through a tenth in the time that passes: four tenths are
                     // left.
                     keep_going(0.5);
                     std::this_thread::sleep_for(500ms);
                     keep_going(0.6);
                     return titled("");
                   });
  ASSERT_TRUE(until([&] {
    const auto update = worker_->take_update(kTableView);
    if (update && update->phase == ExperimentPhase::kRunning && update->share == 0.6) {
      left = update->seconds_left / update->seconds;
      return true;
    }
    return update && update->phase == ExperimentPhase::kDone;
  }));
  if (left >= 0) {
    EXPECT_NEAR(left, 4, 1e-6);
  }
}

TEST_F(ExperimentWorkerTest, StopsAndGoesOnWithWhatItKept) {
  const auto cells = std::make_shared<std::atomic<int>>(0);
  const auto stop_at = std::make_shared<std::atomic<int>>(3);
  const ExperimentJob job = [=](ExperimentBackends&, const Progress& keep_going,
                                const ShowFigure&) {
    while (*cells < 10) {
      while (*cells == *stop_at && keep_going(*cells / 10.0))
        std::this_thread::sleep_for(1ms);
      if (!keep_going(*cells / 10.0)) return titled("stopped");
      ++*cells;
    }
    return titled("full");
  };
  worker_->request(kTableView, 1, job);
  ASSERT_TRUE(until([&] { return *cells == 3; }));
  worker_->stop(kTableView);
  ASSERT_TRUE(arrives(kTableView, ExperimentPhase::kStopped, 1));
  EXPECT_EQ(*cells, 3);
  *stop_at = -1;
  worker_->request(kTableView, 2, job);
  ASSERT_TRUE(arrives(kTableView, ExperimentPhase::kDone, 2));
  EXPECT_EQ(seen_->figure.title, "full");
  EXPECT_EQ(*cells, 10);
}

TEST_F(ExperimentWorkerTest, AnExperimentThatWaitsCanBeStoppedToo) {
  std::atomic<int> begun{0};
  std::atomic<int> other{0};
  worker_->show(std::array{kTableView});
  worker_->request(kTableView, 1, endless(begun));
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(kFitView, 1, endless(other));
  worker_->stop(kFitView);
  worker_->stop(kTableView);
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kStopped, 1));
  EXPECT_EQ(other, 0);
}

TEST_F(ExperimentWorkerTest, TheViewInFrontComesFirstAndTheOtherGoesOnAfterwards) {
  std::atomic<int> begun{0};
  std::atomic<bool> release{false};
  worker_->show(std::array{kTableView});
  worker_->request(kTableView, 1,
                   [&](ExperimentBackends&, const Progress& keep_going, const ShowFigure&) {
                     ++begun;
                     while (!release && keep_going(0.1))
                       std::this_thread::sleep_for(1ms);
                     return titled("long");
                   });
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(kFitView, 1, quick("short"));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(begun, 1);  // behind, it waits
  worker_->show(std::array{kFitView});
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 1));
  ASSERT_TRUE(until([&] { return begun == 2; }));
  release = true;
  ASSERT_TRUE(arrives(kTableView, ExperimentPhase::kDone, 1));
  EXPECT_EQ(seen_->figure.title, "long");
}

TEST_F(ExperimentWorkerTest, ThoseOnScreenRunInTurnAndWaitForWhatTheUserChanged) {
  std::atomic<int> begun{0};
  std::atomic<bool> release{false};
  const ExperimentJob held = [&](ExperimentBackends&, const Progress& keep_going,
                                 const ShowFigure&) {
    ++begun;
    while (!release && keep_going(0.1))
      std::this_thread::sleep_for(1ms);
    return titled("held");
  };
  worker_->show(std::array{kFitView, kTableView, kSpreadView});
  worker_->request(kTableView, 1, held, Urgency::kInTurn);
  ASSERT_TRUE(until([&] { return begun == 1; }));
  worker_->request(kFitView, 1, quick("follows"), Urgency::kInTurn);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(worker_->take_update(kFitView).has_value());  // in front, but in turn
  EXPECT_EQ(begun, 1);
  worker_->request(kFitView, 2, quick("changed"), Urgency::kAtOnce);
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 2));
  ASSERT_TRUE(until([&] { return begun == 2; }));
  release = true;
  ASSERT_TRUE(arrives(kTableView, ExperimentPhase::kDone, 1));
}

// Two that always want to run again leave each other, and a third, their turn.
TEST_F(ExperimentWorkerTest, NoneOnScreenStarves) {
  std::array<std::atomic<int>, 3> runs{};
  const std::array views = {kFitView, kTableView, kSpreadView};
  const auto counts = [&](std::size_t i) {
    return [&runs, i](ExperimentBackends&, const Progress&, const ShowFigure&) {
      ++runs[i];
      std::this_thread::sleep_for(2ms);
      return titled("");
    };
  };
  worker_->show(views);
  std::uint64_t id = 0;
  ASSERT_TRUE(until([&] {
    ++id;
    for (std::size_t i = 0; i < views.size(); ++i)
      worker_->request(views[i], id, counts(i), Urgency::kInTurn);
    return std::ranges::all_of(runs, [](int count) { return count >= 5; });
  }));
}

TEST_F(ExperimentWorkerTest, WhatAnExperimentThrowsIsToldAndTheNextOneRuns) {
  worker_->request(kFitView, 1,
                   [](ExperimentBackends&, const Progress&, const ShowFigure&) -> ExperimentResult {
                     throw std::runtime_error("all sets were dropped");
                   });
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kFailed, 1));
  EXPECT_EQ(update_.error, "all sets were dropped");
  worker_->request(kFitView, 2, quick("better"));
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 2));
}

TEST_F(ExperimentWorkerTest, AMissingBackendIsTold) {
  worker_ = std::make_unique<ExperimentWorker>(
      BackendFactories{[](const BackendChoice&) { return nullptr; }, {}}, [] {});
  worker_->request(kFitView, 1, asks_for_backend());
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kFailed, 1));
  EXPECT_NE(update_.error.find("backend"), std::string::npos);
}

TEST_F(ExperimentWorkerTest, ComputesWithWhatIsChosenFromTheNextExperimentOn) {
  const auto computed = [&](std::uint64_t id) {
    worker_->request(kFitView, id, asks_for_backend());
    EXPECT_TRUE(arrives(kFitView, ExperimentPhase::kDone, id));
    return seen_->figure.title;
  };
  EXPECT_EQ(computed(1), "cpu");
  worker_->use({BackendChoice::Kind::kCuda, 1});
  EXPECT_EQ(computed(2), "cuda:1");
  const Provenance expected = {{"backend", "cuda:1"}};
  EXPECT_EQ(seen_->figure.provenance, expected);
  worker_->use({BackendChoice::Kind::kCpu, 0});
  EXPECT_EQ(computed(3), "cpu");
  worker_->request(kFitView, 4, quick("without"));
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 4));
  EXPECT_TRUE(seen_->figure.provenance.empty());  // nothing was computed with
}

// A device that is lost, or cannot be had, is not asked again before something else was chosen.
TEST_F(ExperimentWorkerTest, TheCpuComputesWhereTheDeviceFails) {
  std::atomic<bool> lost{true};
  std::atomic<bool> full{false};
  std::atomic<int> made{0};
  worker_ = std::make_unique<ExperimentWorker>(
      BackendFactories{[&](const BackendChoice& choice) -> std::unique_ptr<Backend> {
                         if (choice.kind == BackendChoice::Kind::kCuda) {
                           ++made;
                           if (full) throw std::runtime_error("the device is full");
                         }
                         return std::make_unique<FakeBackend>(control_, backend_name(choice));
                       },
                       {}},
      [] {});
  const auto computed = [&](std::uint64_t id) {
    worker_->request(kFitView, id,
                     [&](ExperimentBackends& backends, const Progress&, const ShowFigure&) {
                       const std::string name = backends.backend().description();
                       if (name == "cuda:0" && lost) throw DeviceLost("the device was lost");
                       return titled(name);
                     });
    EXPECT_TRUE(arrives(kFitView, ExperimentPhase::kDone, id));
    return seen_->figure.title.text() + ", " + seen_->figure.provenance.front().second;
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

TEST_F(ExperimentWorkerTest, ADeviceLostOnTheCpuIsAnError) {
  worker_->request(kFitView, 1,
                   [](ExperimentBackends&, const Progress&, const ShowFigure&) -> ExperimentResult {
                     throw DeviceLost("cannot be");
                   });
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kFailed, 1));
}

TEST_F(ExperimentWorkerTest, ClosesInTheMiddle) {
  std::atomic<int> begun{0};
  worker_->request(kFitView, 1, asks_for_backend());
  ASSERT_TRUE(arrives(kFitView, ExperimentPhase::kDone, 1));
  worker_->request(kTableView, 1, endless(begun));
  worker_->request(kFitView, 2, endless(begun));
  ASSERT_TRUE(until([&] { return begun >= 1; }));
  worker_.reset();
  EXPECT_TRUE(control_->destroyed);
}

TEST_F(ExperimentWorkerTest, SurvivesAStorm) {
  std::atomic<int> begun{0};
  std::uint64_t id = 0;
  for (int i = 0; i < 300; ++i) {
    const View view = static_cast<View>(1 + i % 3);
    worker_->show(std::array{static_cast<View>(1 + i * 7 % 4)});
    if (i % 5 == 0) {
      worker_->stop(view);
    } else {
      worker_->request(view, ++id, i % 2 == 0 ? endless(begun) : quick("quick"));
    }
    if (i % 16 == 0) std::this_thread::sleep_for(1ms);
  }
  for (int view = 1; view <= 3; ++view)
    worker_->stop(static_cast<View>(view));
  worker_->request(kDepthView, 1, quick("last"));
  ASSERT_TRUE(arrives(kDepthView, ExperimentPhase::kDone, 1));
}

}  // namespace
}  // namespace dispersion

#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "app/session/study_worker.h"
#include "tests/session/fake_backend.h"

namespace dispersion {

inline StudyResult titled(const std::string& title) {
  StudyResult result;
  result.figure.title = title;
  return result;
}

// A fake whatever is chosen; it has the name of what was.
inline StudySource fake_studies(std::shared_ptr<FakeControl> control) {
  return {[control](const BackendChoice& choice) {
            return std::make_unique<FakeBackend>(control, backend_name(choice));
          },
          {}};
}

class StudyWorkerTest : public testing::Test {
 protected:
  // Waits, for as long as a very slow machine may need.
  static testing::AssertionResult until(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting";
  }

  testing::AssertionResult arrives(View view, StudyPhase phase, std::uint64_t id) {
    return until([&] {
      if (auto news = worker_->take_news(view)) {
        if (news->result) seen_ = news->result;
        news_ = *std::move(news);
      }
      return news_.phase == phase && news_.id == id;
    });
  }

  // Runs until it is told to stop; counts how often it was begun.
  StudyJob endless(std::atomic<int>& begun) {
    return [&begun](StudyTools&, StudyProgress& progress) {
      ++begun;
      while (progress.keep_going(0.5))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return titled("cut short");
    };
  }

  StudyJob quick(const std::string& title) {
    return [title](StudyTools&, StudyProgress&) { return titled(title); };
  }

  // Titled with the description of what computes.
  StudyJob asks_for_backend() {
    return [](StudyTools& tools, StudyProgress&) { return titled(tools.backend().description()); };
  }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::atomic<int> wakes_{0};
  std::unique_ptr<StudyWorker> worker_ =
      std::make_unique<StudyWorker>(fake_studies(control_), [this] { ++wakes_; });
  StudyNews news_;
  std::shared_ptr<const StudyResult> seen_;
};

}  // namespace dispersion

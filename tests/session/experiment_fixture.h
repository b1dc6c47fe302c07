#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "app/session/experiment_worker.h"
#include "tests/session/fake_backend.h"
#include "tests/session/named_views.h"

namespace dispersion {

inline ExperimentResult titled(const std::string& title) {
  ExperimentResult result;
  result.figure.title = Statement::naming(title);
  return result;
}

// A fake whatever is chosen; it has the name of what was.
inline BackendFactories fake_backends(std::shared_ptr<FakeControl> control) {
  return {[control](const BackendChoice& choice) {
            return std::make_unique<FakeBackend>(control, backend_name(choice));
          },
          {}};
}

class ExperimentWorkerTest : public testing::Test {
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

  testing::AssertionResult arrives(View view, ExperimentPhase phase, std::uint64_t id) {
    return until([&] {
      if (auto update = worker_->take_update(view)) {
        if (update->result) seen_ = update->result;
        update_ = *std::move(update);
      }
      return update_.phase == phase && update_.id == id;
    });
  }

  // Runs until it is told to stop; counts how often it was begun.
  ExperimentJob endless(std::atomic<int>& begun) {
    return [&begun](ExperimentBackends&, const Progress& keep_going, const ShowFigure&) {
      ++begun;
      while (keep_going(0.5))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return titled("cut short");
    };
  }

  ExperimentJob quick(const std::string& title) {
    return
        [title](ExperimentBackends&, const Progress&, const ShowFigure&) { return titled(title); };
  }

  // Titled with the description of what computes.
  ExperimentJob asks_for_backend() {
    return [](ExperimentBackends& backends, const Progress&, const ShowFigure&) {
      return titled(backends.backend().description());
    };
  }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::atomic<int> wakes_{0};
  std::unique_ptr<ExperimentWorker> worker_ =
      std::make_unique<ExperimentWorker>(fake_backends(control_), [this] { ++wakes_; });
  ExperimentUpdate update_;
  std::shared_ptr<const ExperimentResult> seen_;
};

}  // namespace dispersion

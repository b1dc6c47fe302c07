#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/session/session.h"
#include "tests/session/fake_backend.h"

namespace dispersion {

// A session on the fake backend, and all that came from it so far.
class SessionTest : public testing::Test {
 protected:
  SessionTest() { std::filesystem::create_directories(folder_); }

  void TearDown() override {
    session_.reset();
    std::filesystem::remove_all(folder_);
  }

  static Checkpoint weights_with_moments(std::uint32_t seed) {
    Checkpoint start;
    start.state = small_state(seed);
    return start;
  }

  static Checkpoint weights_only(std::int64_t step) {
    Checkpoint start = weights_with_moments(1);
    start.state.step = step;
    start.has_moments = false;
    return start;
  }

  Session& open(Checkpoint start) {
    session_ = std::make_unique<Session>(
        only_backend([control = control_] { return std::make_unique<FakeBackend>(control); }),
        std::move(start), "a test", [this] { ++wakes_; });
    return *session_;
  }

  // Reports first, as the worker puts them out last.
  void pump() {
    for (Report& report : session_->take_reports())
      reports_.push_back(std::move(report));
    if (auto status = session_->take_status()) status_ = *std::move(status);
    if (auto view = session_->take_view()) view_ = std::move(view);
    for (const RunRecord& record : session_->take_records())
      records_.push_back(record);
  }

  // Waits, for as long as a very slow machine may need, until the news make it true.
  testing::AssertionResult arrives(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      pump();
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting: phase " << static_cast<int>(status_.phase)
                                       << ", step " << status_.step << ", notice \""
                                       << status_.notice << "\", " << reports_.size() << " reports";
  }

  testing::AssertionResult arrives_at(RunPhase phase, std::int64_t step) {
    return arrives([=, this] { return status_.phase == phase && status_.step == step; });
  }

  // An open is answered after all commands sent before it.
  testing::AssertionResult commands_are_done() {
    const std::string mark = "mark " + std::to_string(++marks_);
    session_->send(OpenCommand{mark});
    return arrives([&] {
      return std::ranges::any_of(reports_, [&](const Report& report) {
        return report.text.find(mark) != std::string::npos;
      });
    });
  }

  static ViewRequest request(std::uint64_t revision, std::vector<int> sizes) {
    ViewRequest request;
    request.revision = revision;
    request.transforms = {{.id = TransformId::kSoftmax}, {.id = TransformId::kAdaptive}};
    request.sizes = std::move(sizes);
    return request;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("dispersion_session_" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::atomic<int> wakes_{0};
  int marks_ = 0;
  std::unique_ptr<Session> session_;

  RunStatus status_;
  std::shared_ptr<const ViewSnapshot> view_;
  std::vector<RunRecord> records_;
  std::vector<Report> reports_;
};

}  // namespace dispersion

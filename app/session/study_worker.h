#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "app/session/mailbox.h"
#include "app/session/study.h"

namespace dispersion {

// A thread of its own for studies, one at a time, beside the training. Per view only the newest
// request counts. The view in front comes first: the study of another is set aside for it and taken
// up again. Destruction stops the study that runs and waits for it.
class StudyWorker {
 public:
  // `wake` is called from the worker's thread when there is news; it must neither block nor throw.
  StudyWorker(StudySource source, std::function<void()> wake);
  ~StudyWorker();
  StudyWorker(const StudyWorker&) = delete;
  StudyWorker& operator=(const StudyWorker&) = delete;

  // None of these waits. `id` grows with every request of a view.
  void request(View view, std::uint64_t id, StudyJob job);
  void stop(View view);  // what was requested up to now
  void bring_to_front(View view);
  // What computes from the next study on; the CPU until then.
  void use(const BackendChoice& choice);

  // News since the last call.
  std::optional<StudyNews> take_news(View view);

 private:
  struct Request {
    std::uint64_t id = 0;
    StudyJob job;
  };
  // What both threads know of a view.
  struct Slot {
    Latest<Request> request;
    Latest<StudyNews> news;
    std::atomic<std::uint64_t> newest{0};   // id of the newest request
    std::atomic<std::uint64_t> stopped{0};  // requests up to this one are not wanted any more
    std::atomic<std::uint64_t> done{0};     // and up to this one they are finished
  };
  class Progress;

  void run(const std::stop_token& stop);
  bool wanted(std::size_t view) const;
  std::optional<std::size_t> next() const;
  bool yields(std::size_t view) const;
  void take_requests();
  void work(std::size_t view, const std::stop_token& stop);
  void take_choice();
  StudyResult compute(const StudyJob& job, Progress& progress);
  StudyNews outcome(std::size_t view, Progress& progress);
  void tell(std::size_t view, StudyNews news);

  StudySource source_;
  std::function<void()> wake_;
  std::array<Slot, kViewCount> slots_;
  std::atomic<std::size_t> front_{0};
  Latest<BackendChoice> newest_choice_;
  WakeSignal wake_signal_;
  // On the worker's thread only.
  BackendChoice choice_ = {BackendChoice::Kind::kCpu, 0};
  StudyTools tools_;
  std::array<std::optional<Request>, kViewCount> taken_;
  std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace dispersion

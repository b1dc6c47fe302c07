#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/experiment_backends.h"
#include "app/session/mailbox.h"
#include "app/session/views.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// An experiment to be run on the worker's thread with backends that nothing else uses. It may be
// stopped and run again: what it wants to keep, it keeps itself. What it throws is told in its
// place, but for DeviceLost: then it is run again on the CPU.
using ExperimentJob = std::function<ExperimentResult(ExperimentBackends&, ExperimentProgress&)>;

enum class ExperimentPhase {
  kWaiting,  // asked for, not begun
  kRunning,
  kDone,
  kStopped,  // by the user
  kFailed,
};

// How the experiment of a view stands, from the worker to the window.
struct ExperimentUpdate {
  std::uint64_t id = 0;  // of the request it is about
  ExperimentPhase phase = ExperimentPhase::kWaiting;
  double share = 0;
  double seconds = 0;        // it has run
  double seconds_left = -1;  // < 0: nobody knows yet
  // Null: nothing new. While running it has the figure alone, of what is known so far.
  std::shared_ptr<const ExperimentResult> result = nullptr;
  std::string error = {};  // why it failed
};

// A thread of its own for experiments, one at a time, beside the training. Per view only the newest
// request counts. The view in front comes first: the experiment of another is set aside for it and
// taken up again. Destruction stops the experiment that runs and waits for it.
class ExperimentWorker {
 public:
  // `wake` is called from the worker's thread when there is an update; it must neither block nor
  // throw.
  ExperimentWorker(BackendFactories factories, std::function<void()> wake);
  ~ExperimentWorker();
  ExperimentWorker(const ExperimentWorker&) = delete;
  ExperimentWorker& operator=(const ExperimentWorker&) = delete;

  // None of these waits. `id` grows with every request of a view.
  void request(View view, std::uint64_t id, ExperimentJob job);
  void stop(View view);  // what was requested up to now
  void bring_to_front(View view);
  // What computes from the next experiment on; the CPU until then.
  void use(const BackendChoice& choice);

  // The newest update since the last call.
  std::optional<ExperimentUpdate> take_update(View view);

 private:
  struct Request {
    std::uint64_t id = 0;
    ExperimentJob job;
  };
  // What both threads know of a view.
  struct Slot {
    Latest<Request> request;
    Latest<ExperimentUpdate> update;
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
  ExperimentResult compute(const ExperimentJob& job, Progress& progress);
  ExperimentUpdate outcome(std::size_t view, Progress& progress);
  void tell(std::size_t view, ExperimentUpdate update);

  BackendFactories factories_;
  std::function<void()> wake_;
  std::vector<Slot> slots_;  // [views]
  std::atomic<std::size_t> front_{0};
  Latest<BackendChoice> newest_choice_;
  WakeSignal wake_signal_;
  // On the worker's thread only.
  BackendChoice choice_ = {BackendChoice::Kind::kCpu, 0};
  ChosenBackends backends_;
  std::vector<std::optional<Request>> taken_;  // [views]
  std::jthread thread_;                        // last: joined before the rest goes
};

}  // namespace dispersion

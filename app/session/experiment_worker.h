#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "app/session/experiment_backends.h"
#include "app/session/mailbox.h"
#include "app/session/views.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// Computes an experiment on the worker's thread, with backends that nothing else uses. The worker
// may stop a job and run it again later; a job that wants to go on where it was stopped must keep
// its own data. An exception becomes the error of the update, except DeviceLost, after which the
// job is run again on the CPU.
using ExperimentJob =
    std::function<ExperimentResult(ExperimentBackends&, const Progress&, const ShowFigure&)>;

enum class ExperimentPhase {
  kWaiting,  // requested, but not running
  kRunning,
  kDone,
  kStopped,  // by the user
  kFailed,
};

// What the worker reports to the window on the experiment of a view.
struct ExperimentUpdate {
  std::uint64_t id = 0;  // of the request that it is about
  ExperimentPhase phase = ExperimentPhase::kWaiting;
  double share = 0;          // of the work that is done, in [0, 1]
  double seconds = 0;        // since the experiment began to run
  double seconds_left = -1;  // estimate; < 0: not known yet
  // Null: nothing new. While the experiment runs, the result has only a partial figure.
  std::shared_ptr<const ExperimentResult> result = nullptr;
  std::string error = {};  // why the experiment failed
};

// How soon an experiment is wanted.
enum class Urgency {
  kInTurn,  // in turn with those of the other views on screen, as one that follows the training
  kAtOnce,  // the user waits for it: while its view is in front, others stop for it
};

// Runs experiments on a thread of its own, one at a time, beside the training. Only the newest
// request of each view counts. Those of views on screen come first, in turn, so that none waits for
// ever; an experiment of another view stops for them and runs again later. The destructor stops the
// running experiment and waits for it.
class ExperimentWorker {
 public:
  // `wake` is called from the worker's thread when there is an update; it must neither block nor
  // throw.
  ExperimentWorker(BackendFactories factories, std::function<void()> wake);
  ~ExperimentWorker();
  ExperimentWorker(const ExperimentWorker&) = delete;
  ExperimentWorker& operator=(const ExperimentWorker&) = delete;

  // None of these waits. `id` grows with every request of a view.
  void request(View view, std::uint64_t id, ExperimentJob job, Urgency urgency = Urgency::kAtOnce);
  void stop(View view);  // stops all requests that the view has made so far
  // The views on screen, that in front first. There is at least one.
  void show(std::span<const View> views);
  // Selects the backend of the experiments that begin from now on; the first one is the CPU.
  void use(const BackendChoice& choice);

  // The newest update since the last call.
  std::optional<ExperimentUpdate> take_update(View view);

 private:
  struct Request {
    std::uint64_t id = 0;
    ExperimentJob job;
  };
  // What both threads share about one view.
  struct Slot {
    Latest<Request> request;
    Latest<ExperimentUpdate> update;
    std::atomic<std::uint64_t> newest{0};   // id of the newest request
    std::atomic<std::uint64_t> stopped{0};  // requests up to this id are stopped
    std::atomic<std::uint64_t> done{0};     // requests up to this id are finished
    std::atomic<std::uint64_t> urgent{0};   // id of the newest request with kAtOnce
    std::atomic<bool> on_screen{false};
  };
  class RunningExperiment;

  void run(const std::stop_token& stop);
  bool wanted(std::size_t view) const;
  bool comes_at_once(std::size_t view) const;
  std::optional<std::size_t> next() const;
  bool yields(std::size_t view) const;
  void take_requests();
  void work(std::size_t view, const std::stop_token& stop);
  void take_choice();
  ExperimentResult compute(const ExperimentJob& job, RunningExperiment& running);
  ExperimentUpdate outcome(std::size_t view, RunningExperiment& running);
  void publish(std::size_t view, ExperimentUpdate update);

  BackendFactories factories_;
  std::function<void()> wake_;
  std::vector<Slot> slots_;  // [views]
  std::atomic<std::size_t> front_{0};
  Latest<BackendChoice> newest_choice_;
  WakeSignal wake_signal_;
  // Used on the worker's thread only:
  BackendChoice choice_ = {BackendChoice::Kind::kCpu, 0};
  ChosenBackends backends_;
  std::vector<std::optional<Request>> taken_;  // [views]
  std::vector<std::uint64_t> turn_;            // [views] when each ran last, counted in runs
  std::uint64_t turns_ = 0;
  std::jthread thread_;  // the last member, so that it is joined before the others are destroyed
};

}  // namespace dispersion

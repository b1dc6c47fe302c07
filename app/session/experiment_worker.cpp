#include "app/session/experiment_worker.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "app/session/thread_priority.h"
#include "app/session/timing.h"

namespace dispersion {
namespace {

constexpr double kUpdateInterval = 0.06;  // seconds between two updates of a running experiment
// The time left is estimated once an experiment has run for so many seconds, and once the share
// done has grown by so much.
constexpr double kFirstEstimate = 0.4;
constexpr double kSmallestAdvance = 0.005;

}  // namespace

// The experiment that runs: publishes its share done and its partial figures in regular updates,
// and stops it when it is no longer wanted.
class ExperimentWorker::RunningExperiment {
 public:
  RunningExperiment(ExperimentWorker& worker, std::size_t view, std::uint64_t id,
                    std::stop_token stop)
      : worker_(worker), view_(view), stop_(std::move(stop)), began_(clock_seconds()) {
    update_.id = id;
    update_.phase = ExperimentPhase::kRunning;
  }
  RunningExperiment(const RunningExperiment&) = delete;
  RunningExperiment& operator=(const RunningExperiment&) = delete;

  const Progress& progress() const { return progress_; }

  void show(Figure partial) {
    auto result = std::make_shared<ExperimentResult>();
    result->figure = std::move(partial);
    update_.result = std::move(result);
  }

  void publish() {
    published_ = clock_seconds();
    worker_.publish(view_, now());
  }

  ExperimentUpdate now() {
    update_.seconds = clock_seconds() - began_;
    const double advance = update_.share - first_share_;
    update_.seconds_left = update_.seconds > kFirstEstimate && advance > kSmallestAdvance
                               ? update_.seconds * (1 - update_.share) / advance
                               : -1;
    return update_;
  }

 private:
  bool report(double share) {
    update_.share = share;
    if (first_share_ < 0) first_share_ = share;
    if (clock_seconds() >= published_ + kUpdateInterval) publish();
    return still_wanted();
  }

  bool still_wanted() const {
    const Slot& slot = worker_.slots_[view_];
    return !stop_.stop_requested() && slot.stopped < update_.id && slot.newest <= update_.id &&
           !worker_.yields(view_);
  }

  ExperimentWorker& worker_;
  std::size_t view_;
  std::stop_token stop_;
  double began_;
  double published_ = -1;    // time of the newest update
  double first_share_ = -1;  // an experiment that goes on after a stop does not begin at 0
  ExperimentUpdate update_;
  Progress progress_ = [this](double share) { return report(share); };
};

ExperimentWorker::ExperimentWorker(BackendFactories factories, std::function<void()> wake)
    : factories_(std::move(factories)),
      wake_(std::move(wake)),
      slots_(view_count()),
      backends_(factories_, choice_),
      taken_(view_count()),
      turn_(view_count()),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ExperimentWorker::~ExperimentWorker() = default;

void ExperimentWorker::request(View view, std::uint64_t id, ExperimentJob job, Urgency urgency) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  if (urgency == Urgency::kAtOnce) slot.urgent = id;
  slot.request.put({id, std::move(job)});
  slot.newest = id;
  wake_signal_.notify();
}

void ExperimentWorker::stop(View view) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  slot.stopped = slot.newest.load();
  wake_signal_.notify();
}

void ExperimentWorker::show(std::span<const View> views) {
  front_ = static_cast<std::size_t>(views.front());
  for (std::size_t view = 0; view < slots_.size(); ++view)
    slots_[view].on_screen = std::ranges::find(views, static_cast<View>(view)) != views.end();
}

void ExperimentWorker::use(const BackendChoice& choice) {
  newest_choice_.put(choice);
}

std::optional<ExperimentUpdate> ExperimentWorker::take_update(View view) {
  return slots_[static_cast<std::size_t>(view)].update.take();
}

// Whether the newest request of the view is neither stopped nor done.
bool ExperimentWorker::wanted(std::size_t view) const {
  const Slot& slot = slots_[view];
  return slot.newest > slot.stopped && slot.newest > slot.done;
}

// Whether the user waits for the experiment of this view.
bool ExperimentWorker::comes_at_once(std::size_t view) const {
  const Slot& slot = slots_[view];
  return wanted(view) && slot.urgent > slot.done && slot.urgent > slot.stopped;
}

// Whether the experiment of this view must make way for another.
bool ExperimentWorker::yields(std::size_t view) const {
  const std::size_t front = front_;
  if (front == view) return false;
  if (comes_at_once(front)) return true;
  if (slots_[view].on_screen) return false;
  for (std::size_t other = 0; other < slots_.size(); ++other) {
    if (slots_[other].on_screen && wanted(other)) return true;
  }
  return false;
}

// Of those on screen, the one that has waited longest; then any other.
std::optional<std::size_t> ExperimentWorker::next() const {
  const std::size_t front = front_;
  if (comes_at_once(front)) return front;
  std::optional<std::size_t> best;
  const auto before = [&](std::size_t a, std::size_t b) {
    const bool seen = slots_[a].on_screen;
    return seen != slots_[b].on_screen ? seen : turn_[a] < turn_[b];
  };
  for (std::size_t view = 0; view < slots_.size(); ++view) {
    if (wanted(view) && (!best || before(view, *best))) best = view;
  }
  return best;
}

void ExperimentWorker::take_requests() {
  for (std::size_t view = 0; view < slots_.size(); ++view) {
    if (std::optional<Request> request = slots_[view].request.take())
      taken_[view] = *std::move(request);
    const bool stopped = taken_[view] && slots_[view].stopped >= taken_[view]->id;
    if (!stopped) continue;
    publish(view, {.id = taken_[view]->id, .phase = ExperimentPhase::kStopped});
    taken_[view].reset();
  }
}

void ExperimentWorker::run(const std::stop_token& stop) {
  give_way_to_window();
  while (!stop.stop_requested()) {
    take_requests();
    const std::optional<std::size_t> view = next();
    if (view && taken_[*view]) {
      work(*view, stop);
    } else {
      wake_signal_.wait(stop);
    }
  }
  // The backends of a device must be destroyed on the thread that made them, which is this one.
  backends_ = ChosenBackends(factories_, choice_);
}

// Makes new backends only for another choice. So a device that could not be used is tried again
// only after something else was chosen.
void ExperimentWorker::take_choice() {
  const std::optional<BackendChoice> choice = newest_choice_.take();
  if (!choice || *choice == choice_) return;
  choice_ = *choice;
  backends_ = ChosenBackends(factories_, choice_);
}

ExperimentResult ExperimentWorker::compute(const ExperimentJob& job, RunningExperiment& running) {
  const auto show = [&](Figure partial) { running.show(std::move(partial)); };
  backends_.begin();
  try {
    return job(backends_, running.progress(), show);
  } catch (const DeviceLost& error) {
    if (backends_.on_cpu()) throw;
    backends_.use_cpu(error.what());
  }
  return job(backends_, running.progress(), show);
}

// Runs the job; the update still says kRunning when it was stopped before its end.
ExperimentUpdate ExperimentWorker::outcome(std::size_t view, RunningExperiment& running) {
  try {
    take_choice();
    ExperimentResult result = compute(taken_[view]->job, running);
    ExperimentUpdate update = running.now();
    if (running.progress().stopped()) return update;
    if (!backends_.used().empty())
      result.figure.provenance.emplace_back("backend", backends_.used());
    update.phase = ExperimentPhase::kDone;
    update.share = 1;
    update.seconds_left = 0;
    update.result = std::make_shared<const ExperimentResult>(std::move(result));
    return update;
  } catch (const std::exception& error) {
    ExperimentUpdate update = running.now();
    if (running.progress().stopped()) return update;
    update.phase = ExperimentPhase::kFailed;
    update.error = error.what();
    return update;
  }
}

void ExperimentWorker::work(std::size_t view, const std::stop_token& stop) {
  turn_[view] = ++turns_;
  RunningExperiment running(*this, view, taken_[view]->id, stop);
  running.publish();
  ExperimentUpdate update = outcome(view, running);
  const std::uint64_t id = update.id;
  if (update.phase == ExperimentPhase::kRunning) {
    // It runs again later, unless the user stopped it or there is a newer request.
    const bool stopped = slots_[view].stopped >= id;
    update.phase = stopped ? ExperimentPhase::kStopped : ExperimentPhase::kWaiting;
    if (stopped) taken_[view].reset();
    publish(view, std::move(update));
    return;
  }
  slots_[view].done = id;
  taken_[view].reset();
  publish(view, std::move(update));
}

void ExperimentWorker::publish(std::size_t view, ExperimentUpdate update) {
  slots_[view].update.put(std::move(update));
  wake_();
}

}  // namespace dispersion

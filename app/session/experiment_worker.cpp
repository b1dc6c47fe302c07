#include "app/session/experiment_worker.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "app/session/timing.h"

namespace dispersion {
namespace {

constexpr double kTellInterval = 0.06;      // seconds between two updates of a running experiment
constexpr double kFirstEstimate = 0.4;      // before that nothing is said about the time left
constexpr double kSmallestAdvance = 0.005;  // of the share, likewise

}  // namespace

// Passes on what the running experiment says, as often as it can be looked at.
class ExperimentWorker::Progress : public ExperimentProgress {
 public:
  Progress(ExperimentWorker& worker, std::size_t view, std::uint64_t id, std::stop_token stop)
      : worker_(worker), view_(view), stop_(std::move(stop)), began_(clock_seconds()) {
    update_.id = id;
    update_.phase = ExperimentPhase::kRunning;
  }

  bool keep_going(double share) override {
    update_.share = std::clamp(share, 0.0, 1.0);
    if (first_share_ < 0) first_share_ = update_.share;
    if (clock_seconds() >= told_ + kTellInterval) tell();
    cut_short_ = cut_short_ || ended();
    return !cut_short_;
  }

  void show(Figure partial) override {
    auto result = std::make_shared<ExperimentResult>();
    result->figure = std::move(partial);
    update_.result = std::move(result);
  }

  bool cut_short() const { return cut_short_; }

  void tell() {
    told_ = clock_seconds();
    worker_.tell(view_, now());
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
  bool ended() const {
    const Slot& slot = worker_.slots_[view_];
    return stop_.stop_requested() || slot.stopped >= update_.id || slot.newest > update_.id ||
           worker_.yields(view_);
  }

  ExperimentWorker& worker_;
  std::size_t view_;
  std::stop_token stop_;
  double began_;
  double told_ = -1;
  double first_share_ = -1;
  bool cut_short_ = false;
  ExperimentUpdate update_;
};

ExperimentWorker::ExperimentWorker(BackendFactories factories, std::function<void()> wake)
    : factories_(std::move(factories)),
      wake_(std::move(wake)),
      slots_(view_count()),
      backends_(factories_, choice_),
      taken_(view_count()),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

ExperimentWorker::~ExperimentWorker() = default;

void ExperimentWorker::request(View view, std::uint64_t id, ExperimentJob job) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  slot.request.put({id, std::move(job)});
  slot.newest = id;
  wake_signal_.notify();
}

void ExperimentWorker::stop(View view) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  slot.stopped = slot.newest.load();
  wake_signal_.notify();
}

void ExperimentWorker::bring_to_front(View view) {
  front_ = static_cast<std::size_t>(view);
}

void ExperimentWorker::use(const BackendChoice& choice) {
  newest_choice_.put(choice);
}

std::optional<ExperimentUpdate> ExperimentWorker::take_update(View view) {
  return slots_[static_cast<std::size_t>(view)].update.take();
}

// Whether the newest request of the view waits for something to be done.
bool ExperimentWorker::wanted(std::size_t view) const {
  const Slot& slot = slots_[view];
  return slot.newest > slot.stopped && slot.newest > slot.done;
}

// Whether the experiment of this view makes room for that of the view in front.
bool ExperimentWorker::yields(std::size_t view) const {
  const std::size_t front = front_;
  return front != view && wanted(front);
}

std::optional<std::size_t> ExperimentWorker::next() const {
  const std::size_t front = front_;
  if (wanted(front)) return front;
  for (std::size_t view = 0; view < slots_.size(); ++view) {
    if (wanted(view)) return view;
  }
  return std::nullopt;
}

void ExperimentWorker::take_requests() {
  for (std::size_t view = 0; view < slots_.size(); ++view) {
    if (std::optional<Request> request = slots_[view].request.take())
      taken_[view] = *std::move(request);
    const bool stopped = taken_[view] && slots_[view].stopped >= taken_[view]->id;
    if (!stopped) continue;
    tell(view, {.id = taken_[view]->id, .phase = ExperimentPhase::kStopped});
    taken_[view].reset();
  }
}

void ExperimentWorker::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    take_requests();
    const std::optional<std::size_t> view = next();
    if (view && taken_[*view]) {
      work(*view, stop);
    } else {
      wake_signal_.wait(stop);
    }
  }
  backends_ = ChosenBackends(factories_, choice_);  // a device's go on the thread that made them
}

// What could not be used is tried again only when something else was chosen in between.
void ExperimentWorker::take_choice() {
  const std::optional<BackendChoice> choice = newest_choice_.take();
  if (!choice || *choice == choice_) return;
  choice_ = *choice;
  backends_ = ChosenBackends(factories_, choice_);
}

ExperimentResult ExperimentWorker::compute(const ExperimentJob& job, Progress& progress) {
  backends_.begin();
  try {
    return job(backends_, progress);
  } catch (const DeviceLost& error) {
    if (backends_.on_cpu()) throw;
    backends_.use_cpu(error.what());
  }
  return job(backends_, progress);
}

ExperimentUpdate ExperimentWorker::outcome(std::size_t view, Progress& progress) {
  try {
    take_choice();
    ExperimentResult result = compute(taken_[view]->job, progress);
    ExperimentUpdate update = progress.now();
    if (progress.cut_short()) return update;
    if (!backends_.used().empty())
      result.figure.provenance.emplace_back("backend", backends_.used());
    update.phase = ExperimentPhase::kDone;
    update.share = 1;
    update.seconds_left = 0;
    update.result = std::make_shared<const ExperimentResult>(std::move(result));
    return update;
  } catch (const std::exception& error) {
    ExperimentUpdate update = progress.now();
    if (progress.cut_short()) return update;
    update.phase = ExperimentPhase::kFailed;
    update.error = error.what();
    return update;
  }
}

void ExperimentWorker::work(std::size_t view, const std::stop_token& stop) {
  Progress progress(*this, view, taken_[view]->id, stop);
  progress.tell();
  ExperimentUpdate update = outcome(view, progress);
  const std::uint64_t id = update.id;
  if (update.phase == ExperimentPhase::kRunning) {
    // Set aside: it goes on later, unless it was stopped or a newer one has come.
    const bool stopped = slots_[view].stopped >= id;
    update.phase = stopped ? ExperimentPhase::kStopped : ExperimentPhase::kWaiting;
    if (stopped) taken_[view].reset();
    tell(view, std::move(update));
    return;
  }
  slots_[view].done = id;
  taken_[view].reset();
  tell(view, std::move(update));
}

void ExperimentWorker::tell(std::size_t view, ExperimentUpdate update) {
  slots_[view].update.put(std::move(update));
  wake_();
}

}  // namespace dispersion

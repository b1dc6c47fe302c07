#include "app/session/study_worker.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "app/session/timing.h"

namespace dispersion {
namespace {

constexpr double kTellInterval = 0.06;      // seconds between two pieces of news of a running study
constexpr double kFirstEstimate = 0.4;      // before that nothing is said about the time left
constexpr double kSmallestAdvance = 0.005;  // of the share, likewise

}  // namespace

// Passes on what the running study says, as often as it can be looked at.
class StudyWorker::Progress : public StudyProgress {
 public:
  Progress(StudyWorker& worker, std::size_t view, std::uint64_t id, std::stop_token stop)
      : worker_(worker), view_(view), stop_(std::move(stop)), began_(clock_seconds()) {
    news_.id = id;
    news_.phase = StudyPhase::kRunning;
  }

  bool keep_going(double share) override {
    news_.share = std::clamp(share, 0.0, 1.0);
    if (first_share_ < 0) first_share_ = news_.share;
    if (clock_seconds() >= told_ + kTellInterval) tell();
    cut_short_ = cut_short_ || ended();
    return !cut_short_;
  }

  void show(Figure partial) override {
    auto result = std::make_shared<StudyResult>();
    result->figure = std::move(partial);
    news_.result = std::move(result);
  }

  bool cut_short() const { return cut_short_; }

  void tell() {
    told_ = clock_seconds();
    worker_.tell(view_, now());
  }

  StudyNews now() {
    news_.seconds = clock_seconds() - began_;
    const double advance = news_.share - first_share_;
    news_.seconds_left = news_.seconds > kFirstEstimate && advance > kSmallestAdvance
                             ? news_.seconds * (1 - news_.share) / advance
                             : -1;
    return news_;
  }

 private:
  bool ended() const {
    const Slot& slot = worker_.slots_[view_];
    return stop_.stop_requested() || slot.stopped >= news_.id || slot.newest > news_.id ||
           worker_.yields(view_);
  }

  StudyWorker& worker_;
  std::size_t view_;
  std::stop_token stop_;
  double began_;
  double told_ = -1;
  double first_share_ = -1;
  bool cut_short_ = false;
  StudyNews news_;
};

StudyWorker::StudyWorker(StudySource source, std::function<void()> wake)
    : source_(std::move(source)),
      wake_(std::move(wake)),
      tools_(source_, choice_),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

StudyWorker::~StudyWorker() = default;

void StudyWorker::request(View view, std::uint64_t id, StudyJob job) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  slot.request.put({id, std::move(job)});
  slot.newest = id;
  wake_signal_.notify();
}

void StudyWorker::stop(View view) {
  Slot& slot = slots_[static_cast<std::size_t>(view)];
  slot.stopped = slot.newest.load();
  wake_signal_.notify();
}

void StudyWorker::bring_to_front(View view) {
  front_ = static_cast<std::size_t>(view);
}

void StudyWorker::use(const BackendChoice& choice) {
  newest_choice_.put(choice);
}

std::optional<StudyNews> StudyWorker::take_news(View view) {
  return slots_[static_cast<std::size_t>(view)].news.take();
}

// Whether the newest request of the view waits for something to be done.
bool StudyWorker::wanted(std::size_t view) const {
  const Slot& slot = slots_[view];
  return slot.newest > slot.stopped && slot.newest > slot.done;
}

// Whether the study of this view makes room for that of the view in front.
bool StudyWorker::yields(std::size_t view) const {
  const std::size_t front = front_;
  return front != view && wanted(front);
}

std::optional<std::size_t> StudyWorker::next() const {
  const std::size_t front = front_;
  if (wanted(front)) return front;
  for (std::size_t view = 0; view < kViewCount; ++view) {
    if (wanted(view)) return view;
  }
  return std::nullopt;
}

void StudyWorker::take_requests() {
  for (std::size_t view = 0; view < kViewCount; ++view) {
    if (std::optional<Request> request = slots_[view].request.take())
      taken_[view] = *std::move(request);
    const bool stopped = taken_[view] && slots_[view].stopped >= taken_[view]->id;
    if (!stopped) continue;
    tell(view, {.id = taken_[view]->id, .phase = StudyPhase::kStopped});
    taken_[view].reset();
  }
}

void StudyWorker::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    take_requests();
    const std::optional<std::size_t> view = next();
    if (view && taken_[*view]) {
      work(*view, stop);
    } else {
      wake_signal_.wait(stop);
    }
  }
  tools_ = StudyTools(source_, choice_);  // a device's go on the thread that made them
}

// What could not be used is tried again only when something else was chosen in between.
void StudyWorker::take_choice() {
  const std::optional<BackendChoice> choice = newest_choice_.take();
  if (!choice || *choice == choice_) return;
  choice_ = *choice;
  tools_ = StudyTools(source_, choice_);
}

StudyResult StudyWorker::compute(const StudyJob& job, Progress& progress) {
  tools_.begin_study();
  try {
    return job(tools_, progress);
  } catch (const DeviceLost& error) {
    if (tools_.on_cpu()) throw;
    tools_.use_cpu(error.what());
  }
  return job(tools_, progress);
}

StudyNews StudyWorker::outcome(std::size_t view, Progress& progress) {
  try {
    take_choice();
    StudyResult result = compute(taken_[view]->job, progress);
    StudyNews news = progress.now();
    if (progress.cut_short()) return news;
    if (!tools_.used().empty()) result.figure.provenance.emplace_back("backend", tools_.used());
    news.phase = StudyPhase::kDone;
    news.share = 1;
    news.seconds_left = 0;
    news.result = std::make_shared<const StudyResult>(std::move(result));
    return news;
  } catch (const std::exception& error) {
    StudyNews news = progress.now();
    if (progress.cut_short()) return news;
    news.phase = StudyPhase::kFailed;
    news.error = error.what();
    return news;
  }
}

void StudyWorker::work(std::size_t view, const std::stop_token& stop) {
  Progress progress(*this, view, taken_[view]->id, stop);
  progress.tell();
  StudyNews news = outcome(view, progress);
  const std::uint64_t id = news.id;
  if (news.phase == StudyPhase::kRunning) {
    // Set aside: it goes on later, unless it was stopped or a newer one has come.
    const bool stopped = slots_[view].stopped >= id;
    news.phase = stopped ? StudyPhase::kStopped : StudyPhase::kWaiting;
    if (stopped) taken_[view].reset();
    tell(view, std::move(news));
    return;
  }
  slots_[view].done = id;
  taken_[view].reset();
  tell(view, std::move(news));
}

void StudyWorker::tell(std::size_t view, StudyNews news) {
  slots_[view].news.put(std::move(news));
  wake_();
}

}  // namespace dispersion

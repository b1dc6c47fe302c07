#include "app/session/training_run.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/run_status.h"
#include "app/session/user_files.h"
#include "core/figure/number_text.h"
#include "core/spectral/points.h"

namespace dispersion {
namespace {

// The runs that can be brought back. Each takes about 3 MB and 20 bytes for every step.
constexpr std::size_t kRunsSetAside = 16;

constexpr const char* kDeviceIsLost = "the device is lost; let the CPU go on first";

}  // namespace

TrainingRun::TrainingRun(Backend& backend, const FirstHead& head) : backend_(&backend) {
  adopt(Checkpoint(head.start), head.source);
  details_.earlier = head.earlier;
  details_.steps_before = steps_before_in(head.start);
  if (!head.file.empty()) details_.file = details_.first_file = full_path(head.file);
  tell_details();
}

// Where the run comes from is kept in details_; the status repeats it.
void TrainingRun::tell_details() {
  status_.head_source = details_.head_source;
  status_.file = details_.file;
  status_.saved = details_.saved;
  status_.steps_before = details_.steps_before;
  status_.stop_at = details_.stop_at;
  status_.earlier = details_.earlier;
  status_.open_run = details_.id;
  status_.began = details_.began;
  status_.other_runs.clear();
  for (const auto* runs : {&set_aside_, &untrained_}) {
    for (const auto& run : *runs)
      status_.other_runs.push_back(run->details.id);
  }
  status_.set_aside.clear();
  if (!set_aside_.empty()) status_.set_aside = told(*set_aside_.front());
}

// What was measured earlier stays with the new run.
void TrainingRun::adopt(Checkpoint next, std::string head_source) {
  if (lost()) throw std::runtime_error(kDeviceIsLost);
  // The backend loads the head before anything changes; if it fails, it loads its old head again.
  const HeadVersion before = last_good();
  try {
    backend_->load(next.recipe, {next.state});
  } catch (const std::exception& error) {
    if (before.state) load_back(before, error.what());
    throw;
  }
  note_backend();
  auto earlier = std::exchange(details_, {}).earlier;
  details_.earlier = std::move(earlier);
  details_.id = ++newest_id_;
  details_.first = std::move(next);
  details_.head_source = std::move(head_source);
  details_.backend = backend_in_metadata(details_.first.metadata);
  ++status_.run;
  head_ = {++version_, std::make_shared<const TrainingState>(details_.first.state), status_.run};
  accuracy_ = {};
  status_.phase = RunPhase::kPaused;
  status_.has_run = details_.first.has_run;
  status_.recipe = details_.first.recipe;
  status_.seed = details_.first.state.seed;
  status_.step = details_.first.state.step;
  status_.loss = std::numeric_limits<float>::quiet_NaN();
  status_.accuracy = 0;
  status_.notice.clear();
  tell_details();
  refresh_hash();
}

// Whether the open run has been trained or was kept by an earlier session, so that it could not be
// opened again from where it came.
bool TrainingRun::worth_keeping() const {
  return status_.step > details_.first.state.step || !details_.kept_file.empty();
}

std::shared_ptr<const TrainingRun::SetAside> TrainingRun::open_run() {
  return std::make_shared<const SetAside>(SetAside{details_, last_good().state, worth_keeping()});
}

// What is worth keeping is not pushed out by what is not.
void TrainingRun::keep(std::shared_ptr<const SetAside> run) {
  auto& runs = run->worth_keeping ? set_aside_ : untrained_;
  runs.push_front(std::move(run));
}

void TrainingRun::set_aside(std::shared_ptr<const SetAside> run) {
  keep(std::move(run));
  for (auto* runs : {&set_aside_, &untrained_}) {
    while (runs->size() > kRunsSetAside)
      runs->pop_back();
  }
  tell_details();
}

void TrainingRun::return_to(const SetAside& run) {
  Checkpoint stood = run.details.first;
  stood.state = *run.state;
  adopt(std::move(stood), run.details.head_source);
  details_ = run.details;  // so that rewinding goes to where the run began
  take_curves();
}

void TrainingRun::bring_back() {
  if (set_aside_.empty()) throw std::runtime_error("there is no run to bring back");
  const std::shared_ptr<const SetAside> back = set_aside_.front();
  std::shared_ptr<const SetAside> now = open_run();
  return_to(*back);
  set_aside_.pop_front();
  if (!now->worth_keeping) return set_aside(std::move(now));
  set_aside_.push_back(std::move(now));
  tell_details();
}

void TrainingRun::switch_to(std::uint64_t id) {
  for (auto* runs : {&set_aside_, &untrained_}) {
    const auto found =
        std::ranges::find_if(*runs, [id](const auto& run) { return run->details.id == id; });
    if (found == runs->end()) continue;
    const std::shared_ptr<const SetAside> back = *found;
    std::shared_ptr<const SetAside> now = open_run();
    return_to(*back);
    std::erase(*runs, back);
    keep(std::move(now));  // no more runs than before
    tell_details();
    return;
  }
  throw std::runtime_error("that run is no longer kept");
}

// Tells the steps of a run that was brought back once more, since it has another number now.
void TrainingRun::take_curves() {
  for (const StepRecord& record : details_.records)
    note(record);
}

void TrainingRun::note(const StepRecord& record) {
  records_.push_back({status_.run, record});
  accuracy_.add(static_cast<double>(record.accuracy));
  status_.accuracy = static_cast<float>(accuracy_.mean());
  status_.loss = record.cross_entropy + record.l2;
}

// Says why the run cannot be trained on, where it cannot.
void TrainingRun::require_trainable() const {
  if (lost()) throw std::runtime_error(kDeviceIsLost);
  if (status_.phase == RunPhase::kDiverged)
    throw std::runtime_error("the next step would diverge again: rewind, or start a new run");
}

void TrainingRun::play(std::int64_t stop_at) {
  require_trainable();
  status_.stop_at = details_.stop_at = stop_at;
  status_.notice.clear();
  if (counted(status_.step) >= stop_at) {
    status_.phase = RunPhase::kFinished;
    status_.notice = "step " + grouped_text(stop_at) + " is reached already; ask for more to go on";
    return;
  }
  begin_without_moments();
  if (!training()) played_at_ = clock_seconds();
  status_.phase = RunPhase::kTraining;
}

void TrainingRun::pause() {
  if (training()) status_.phase = RunPhase::kPaused;
}

void TrainingRun::step() {
  require_trainable();
  begin_without_moments();
  status_.notice.clear();
  if (!training()) played_at_ = clock_seconds();
  status_.phase = RunPhase::kTraining;
  const std::int64_t stop_at = std::exchange(status_.stop_at, counted(status_.step) + 1);
  train(1);
  status_.stop_at = stop_at;
  if (status_.phase == RunPhase::kFinished) status_.phase = RunPhase::kPaused;
}

int TrainingRun::train(int steps) {
  const std::int64_t left = status_.stop_at - counted(status_.step);
  const int wanted = static_cast<int>(std::min<std::int64_t>(steps, left));
  if (wanted < 1) return 0;
  std::vector<StepRecord> records;
  TrainOutcome outcome;
  try {
    outcome = backend_->train(wanted, records);
  } catch (const DeviceLost& error) {
    lose_device(error.what());
    return 0;
  } catch (const std::exception& error) {
    restore(error.what());
    return 0;
  }
  take_outcome(outcome, records);
  return outcome.steps_done;
}

void TrainingRun::take_outcome(const TrainOutcome& outcome,
                               const std::vector<StepRecord>& records) {
  if (outcome.steps_done > 0) {
    details_.backend = trained_by(details_.backend, status_.step, backend_->description());
    details_.saved = status_.saved = false;
    const double now = clock_seconds();
    details_.seconds += now - std::exchange(played_at_, now);
  }
  // A record of a step that was not done, because its loss was not finite, is left out.
  for (const StepRecord& record : records) {
    if (record.step > status_.step + outcome.steps_done) continue;
    details_.records.push_back(record);
    note(record);
  }
  status_.step += outcome.steps_done;
  if (outcome.steps_done > 0) ++version_;
  if (outcome.non_finite) {
    status_.phase = RunPhase::kDiverged;
    status_.notice = "the loss of step " + grouped_text(counted(outcome.non_finite_step)) +
                     " is not finite; the head of step " + step_text(status_) +
                     " is kept. Rewind, or start a new run with a smaller learning rate.";
  } else if (counted(status_.step) >= status_.stop_at) {
    status_.phase = RunPhase::kFinished;
    compare_with_awaited();
  }
}

const HeadVersion& TrainingRun::head() {
  if (head_.version != version_) {
    head_ = {version_, std::make_shared<const TrainingState>(backend_->state(0)), status_.run,
             details_.id};
  }
  return head_;
}

void TrainingRun::refresh_hash() {
  if (hashed_version_ == version_) return;
  status_.run_hash = run_hash(details_.first.recipe, *head().state);
  status_.hash_step = head_.state->step;
  hashed_version_ = version_;  // once it is; reading the head may fail
  refresh_points();
}

// Sets the numbers of points to those that the run trains with. Before its first step, and where it
// uses the direct path because the head is too sharp, they are those that the head would need.
void TrainingRun::refresh_points() {
  const TrainingState& state = *head_.state;
  status_.item_points = state.item_points;
  status_.query_points = state.query_points;
  status_.most_item_points = backend_->most_item_points(state);
  const bool spectral = details_.first.recipe.path == HeadPath::kSpectral;
  if (!spectral || state.item_points > 0) return;
  const SpectralPoints points =
      choose_points(state.parameters, Spare::kOneStep, status_.most_item_points);
  if (!points.spectral()) return;
  status_.item_points = points.item;
  status_.query_points = points.query;
}

// --- When the backend fails, and when another takes over ---

// Goes back to the newest copy of the head, because the backend threw in the middle of a step and
// its own copy may be damaged.
void TrainingRun::restore(const std::string& what) {
  back_to_newest_copy();
  load_back(head_, what);
  if (lost()) return;
  stop("training stopped: " + what + ". Back at step " + step_text(status_) + ".");
  refresh_hash();
}

void TrainingRun::back_to_newest_copy() {
  head_.version = ++version_;
  status_.step = head_.state->step;
  const std::size_t undone = std::erase_if(
      details_.records, [this](const StepRecord& record) { return record.step > status_.step; });
  if (undone == 0) return;
  accuracy_ = {};
  status_.accuracy = 0;
  status_.loss = std::numeric_limits<float>::quiet_NaN();
  if (details_.records.empty()) {
    head_.run = ++status_.run;  // curves without a step are those of a new run
    return;
  }
  // The newest is told once more, so that curves and loss are those of the step that is kept.
  const StepRecord newest = details_.records.back();
  for (const StepRecord& record : std::span(details_.records).first(details_.records.size() - 1))
    accuracy_.add(static_cast<double>(record.accuracy));
  note(newest);
}

// Loads a head again that the backend had before. A backend that refuses it is treated as lost.
void TrainingRun::load_back(const HeadVersion& before, const std::string& what) {
  try {
    backend_->load(details_.first.recipe, {*before.state});
  } catch (const std::exception&) {
    head_ = before;
    lose_device(what);
  }
}

void TrainingRun::lose_device(const std::string& what) {
  if (lost()) return;  // handled already
  broken_off_ = training();
  loss_ = what;
  back_to_newest_copy();
  status_.phase = RunPhase::kDeviceLost;
  status_.notice = what + ". Step " + step_text(status_) + " is kept.";
  refresh_hash();
}

void TrainingRun::note_backend() {
  status_.backend = backend_->description();
  status_.backend_line = backend_->description_with_threads();
}

void TrainingRun::move_to(Backend& next, Resume resume) {
  const HeadVersion now = last_good();
  next.load(details_.first.recipe, {*now.state});
  backend_ = &next;
  note_backend();
  if (now.version != version_) back_to_newest_copy();
  ++version_;  // the other backend may train the same weights along another path
  if (!lost()) return;
  status_.phase = broken_off_ && resume == Resume::kYes ? RunPhase::kTraining : RunPhase::kPaused;
  played_at_ = clock_seconds();
  status_.notice.clear();
}

void TrainingRun::stop(std::string notice) {
  pause();
  status_.notice = std::move(notice);
}

// The present head, or the newest copy if the backend can no longer give it.
HeadVersion TrainingRun::last_good() {
  if (version_ == 0) return {};
  try {
    return head();
  } catch (const std::exception&) {
    return head_;
  }
}

}  // namespace dispersion

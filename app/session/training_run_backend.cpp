// What happens to the open run when its backend fails, and when another takes over.

#include <exception>
#include <utility>

#include "app/session/training_run.h"
#include "core/figure/number_text.h"

namespace dispersion {

// The backend threw in the middle of a step, and what it holds cannot be trusted: back to the
// newest copy.
void TrainingRun::restore(const std::string& what) {
  back_to_newest_copy();
  load_back(head_, what);
  if (lost()) return;
  stop("training stopped: " + what + ". Back at step " + grouped_text(status_.step) + ".");
  refresh_hash();
}

void TrainingRun::back_to_newest_copy() {
  head_.version = ++version_;
  status_.step = head_.state->step;
}

// A backend that does not take back what it held a moment ago is as good as lost.
void TrainingRun::load_back(const HeadVersion& before, const std::string& what) {
  try {
    backend_->load(first_.recipe, {*before.state});
  } catch (const std::exception&) {
    head_ = before;
    lose_device(what);
  }
}

void TrainingRun::lose_device(const std::string& what) {
  if (lost()) return;  // said already
  broken_off_ = training();
  loss_ = what;
  back_to_newest_copy();
  status_.phase = RunPhase::kDeviceLost;
  status_.notice = what + ". Step " + grouped_text(status_.step) + " is kept.";
  refresh_hash();
}

void TrainingRun::move_to(Backend& next, Resume resume) {
  const HeadVersion now = last_good();
  next.load(first_.recipe, {*now.state});
  backend_ = &next;
  status_.backend = next.description();
  if (now.version != version_) back_to_newest_copy();
  if (!lost()) return;
  status_.phase = broken_off_ && resume == Resume::kYes ? RunPhase::kTraining : RunPhase::kPaused;
  status_.notice.clear();
}

void TrainingRun::stop(std::string notice) {
  pause();
  status_.notice = std::move(notice);
}

// The head as it stands, or the newest copy if the backend no longer gives it out.
HeadVersion TrainingRun::last_good() {
  if (version_ == 0) return {};
  try {
    return head();
  } catch (const std::exception&) {
    return head_;
  }
}

}  // namespace dispersion

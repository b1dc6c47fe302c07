#include "app/session/undo_history.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/comparison.h"
#include "app/session/training_stop.h"

namespace dispersion {
namespace {

// Changes of zoom that follow one another within so many seconds are one step.
constexpr double kZoomPause = 0.8;

bool only_zooms(const UserSettings& before, const UserSettings& after) {
  UserSettings zoomed = before;
  zoomed.zooms = after.zooms;
  return zoomed == after && !(before == after);
}

std::string change_text(const UndoStep& step) {
  const std::string pinned = pinned_text(step.pinned_before, step.pinned_after);
  const std::string settings = difference_text(step.before, step.after);
  const std::string other = pinned.empty() && step.replaces_run() ? "another head" : pinned;
  return other + (other.empty() || settings.empty() ? "" : "; ") + settings;
}

// What a step leaves pinned if it begins from another state than it did.
PinnedState pinned_after(const UndoStep& step, PinnedState before) {
  const bool other_a = step.pinned_before.comparison != step.pinned_after.comparison;
  if (other_a) return step.pinned_after;
  if (step.pins() && before.comparison) before.difference = step.pinned_after.difference;
  return before;
}

// A swap that waits for the head of an earlier one, and goes before an undo that waits with it.
bool swap_waits(const AppState& app) {
  return app.comparison && app.comparison->swap_noted;
}

}  // namespace

UndoHistory UndoHistory::from_here(const AppState& app) {
  UndoHistory history;
  history.now_ = user_settings(app);
  history.pinned_ = pinned_state(app);
  history.run_ = app.status.open_run;
  return history;
}

// What the user changes while a step waits for its run ends what else was to be undone or redone,
// which would begin with that change.
void UndoHistory::add(UndoStep step) {
  step.while_moving = move_.has_value();
  done_.push_back(std::move(step));
  if (done_.size() > kMostSteps) done_.pop_front();
  undone_.clear();
  if (!move_) return;
  move_->last = true;
  wanted_ = 0;
}

// A step from the present settings and the present run.
void UndoHistory::add_change() {
  UndoStep step;
  step.before = now_;
  step.pinned_before = pinned_;
  step.run_before = step.run_after = run_;
  add(std::move(step));
}

// What else an old step has changed can still be undone.
void UndoHistory::forget_old_pins() {
  auto pins = static_cast<std::size_t>(std::ranges::count_if(done_, &UndoStep::pins));
  for (UndoStep& step : done_) {
    if (!step.pins() || pins-- <= kMostPins) continue;
    step.pinned_before = step.pinned_after = {};
    step.what = change_text(step);
  }
  std::erase_if(done_, std::mem_fn(&UndoStep::changes_nothing));
}

bool UndoHistory::goes_on(const UserSettings& now, double time) const {
  if (open_) return true;
  if (done_.empty() || !undone_.empty() || time >= zoomed_at_ + kZoomPause) return false;
  const UndoStep& newest = done_.back();
  return only_zooms(newest.before, newest.after) && newest.after == now_ && only_zooms(now_, now);
}

void UndoHistory::note(const AppState& app, bool changing, double now) {
  UserSettings settings = user_settings(app);
  PinnedState pinned = pinned_state(app);
  const bool pins = !(pinned == pinned_);
  // What the user sets before the command is carried out goes before what is held.
  if (held_ && settings.run != now_.run) held_->run = settings.run;
  if (pins || !(settings == now_)) {
    if (pins ? !open_ : !goes_on(settings, now)) add_change();
    UndoStep& step = done_.back();
    step.after = settings;
    step.pinned_after = pinned;
    step.what = change_text(step);
    if (only_zooms(now_, settings)) zoomed_at_ = now;
    open_ = true;
    now_ = std::move(settings);
    pinned_ = std::move(pinned);
    if (done_.back().pins()) forget_old_pins();
  }
  if (changing || !open_ || joined_) return;
  open_ = false;
  if (done_.back().changes_nothing()) done_.pop_back();  // back where it began
}

std::optional<SwitchRunCommand> UndoHistory::follow(AppState& app, bool answered) {
  const std::int64_t stop_before = app.run.stop_at;
  take_run(app);
  if (answered && move_) give_move_up();
  if (answered) forget_lost_runs(app);
  if (joined_ && app.status.commands_done >= *joined_) joined_.reset();
  now_ = user_settings(app);
  pinned_ = pinned_state(app);
  std::optional<SwitchRunCommand> command;
  while (answered && !move_ && wanted_ != 0 && !swap_waits(app)) {
    const bool undo = wanted_ > 0;
    wanted_ += undo ? -1 : 1;
    command = begin(app, undo);
  }
  if (app.run.stop_at != stop_before) follow_stop(app);
  return command;
}

// Another run may be open: the one that was asked for, or one that takes its place.
void UndoHistory::take_run(AppState& app) {
  const bool first = run_ == 0;
  if (first && app.status.open_run != 0) run_ = kFirstRun;
  const bool opened = app.status.open_run != run_;
  std::uint64_t before = run_;
  if (opened && move_) {
    before = move_->undo ? move_->step.run_before : move_->step.run_after;
    // The fields are a part of the step, and do not follow the run; but they follow another one
    // that has come with it.
    const RunSettings present = now_.run;
    const RunSettings following = std::exchange(app.run, present);
    finish_move(app);
    if (app.status.open_run != before && !(following == present)) app.run = following;
  }
  if (held_ && app.status.commands_done >= held_->command) {
    const RunSettings run = std::exchange(held_, {})->run;
    if (opened || first) app.run = run;  // a command that is refused changes nothing
  }
  if (!opened) return;
  run_ = app.status.open_run;
  if (run_ == before) return;
  open_ = false;
  if (joins_newest(app)) return;
  const PinnedState pinned = pinned_state(app);
  add({app.status.began, now_, user_settings(app), pinned, pinned, before, run_});
}

// Whether the new run belongs to the newest step, which has it then.
bool UndoHistory::joins_newest(const AppState& app) {
  if (!joined_ || app.status.commands_done < *joined_ || done_.empty()) return false;
  UndoStep& newest = done_.back();
  if (!undone_.empty() || newest.replaces_run() || !(newest.after == now_)) return false;
  newest.after = user_settings(app);
  newest.run_after = run_;
  return true;
}

// The first of the steps that were made while another waited for its run.
std::deque<UndoStep>::iterator UndoHistory::first_meanwhile() {
  return std::ranges::find_if(done_, &UndoStep::while_moving);
}

// What the user has changed while the step waited for its run is taken as changed after it: the
// steps of those changes now begin from where it leads. Returns where they end, in what comes
// after.
UndoStep UndoHistory::put_below_changes(const UndoStep& moved, bool undo) {
  UndoStep end;
  end.after = undo ? moved.before : moved.after;
  end.pinned_after = undo ? moved.pinned_before : moved.pinned_after;
  end.run_after = undo ? moved.run_before : moved.run_after;
  for (auto each = first_meanwhile(); each != done_.end(); ++each) {
    UndoStep& step = *each;
    step.while_moving = false;
    const UndoStep own = step;
    put_difference(moved.before, moved.after, end.after, step.before);
    step.after = step.before;
    put_difference(own.before, own.after, own.after, step.after);
    if (moved.pins()) step.pinned_before = end.pinned_after;
    step.pinned_after = pinned_after(own, step.pinned_before);
    step.run_before = step.run_after = end.run_after;
    step.what = change_text(step);
    end = step;
  }
  return end;
}

void UndoHistory::finish_move(AppState& app) {
  const Move move = *std::exchange(move_, {});
  open_ = false;  // what the user changes from now on is another step
  const UndoStep& step = move.step;
  if (!move.undo) {
    done_.insert(first_meanwhile(), step);
  } else if (!move.last) {
    undone_.push_back(step);
  }
  const UndoStep end = put_below_changes(step, move.undo);
  std::erase_if(done_, std::mem_fn(&UndoStep::changes_nothing));
  UserSettings settings = user_settings(app);
  put_difference(step.before, step.after, end.after, settings);
  put_settings(settings, app);
  if (step.pins()) put_pinned(end.pinned_after, app);
  now_ = user_settings(app);
  pinned_ = pinned_state(app);
}

// The worker could not open the run.
void UndoHistory::give_move_up() {
  Move move = *std::exchange(move_, {});
  wanted_ = 0;
  const auto later = first_meanwhile();
  for (auto step = later; step != done_.end(); ++step)
    step->while_moving = false;
  if (move.undo) {
    done_.insert(later, std::move(move.step));
  } else if (!move.last) {
    undone_.push_back(std::move(move.step));
  }
}

// A run that is no longer kept cannot be returned to.
void UndoHistory::forget_lost_runs(const AppState& app) {
  const auto lost = [&](std::uint64_t run) {
    return run != run_ &&
           std::ranges::find(app.status.other_runs, run) == app.status.other_runs.end();
  };
  std::erase_if(done_, [&](const UndoStep& s) { return s.replaces_run() && lost(s.run_before); });
  std::erase_if(undone_, [&](const UndoStep& s) { return s.replaces_run() && lost(s.run_after); });
}

std::optional<SwitchRunCommand> UndoHistory::begin(AppState& app, bool undo) {
  open_ = false;
  if (undo ? done_.empty() : undone_.empty()) {
    wanted_ = 0;
    return {};
  }
  UndoStep step = undo ? std::move(done_.back()) : std::move(undone_.back());
  undo ? done_.pop_back() : undone_.pop_back();
  const bool replaces_run = step.replaces_run();
  const std::uint64_t run = undo ? step.run_before : step.run_after;
  move_ = Move{std::move(step), undo};
  if (replaces_run && run != run_) return SwitchRunCommand{run};
  finish_move(app);
  return {};
}

}  // namespace dispersion

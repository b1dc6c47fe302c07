#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/messages.h"
#include "app/session/user_settings.h"

namespace dispersion {

struct Comparison;

// What is pinned as A, and whether B minus A is shown.
struct PinnedState {
  std::shared_ptr<Comparison> comparison;  // null: nothing is
  bool difference = true;

  bool operator==(const PinnedState&) const = default;
};

// A change of settings or of the pinned state by the user, or another run in the place of the open
// one.
struct UndoStep {
  std::string what;  // "temperature θ 1 → 0.5", "new run, seed 2"
  UserSettings before;
  UserSettings after;
  PinnedState pinned_before;
  PinnedState pinned_after;
  std::uint64_t run_before = 0;  // RunStatus::open_run
  std::uint64_t run_after = 0;
  bool while_moving = false;  // made while an undo or redo waited for its run

  bool replaces_run() const { return run_before != run_after; }
  bool pins() const { return !(pinned_before == pinned_after); }
  bool changes_nothing() const { return !replaces_run() && !pins() && before == after; }
};

// The user's changes of settings and runs in the order of time, to be undone and done again. What
// the program changes in between stays as it is: a step takes back only what it has changed. A
// command that the worker refuses makes no step.
class UndoHistory {
 public:
  // Without steps, from the present settings and the present run on.
  static UndoHistory from_here(const AppState& app);

  static constexpr std::size_t kMostSteps = 200;
  // Steps that pin another state each keep two of them, with their pictures.
  static constexpr std::size_t kMostPins = 8;

  // Asks to undo so many steps, or to redo them where negative; follow() does it.
  void ask(int steps) { wanted_ += steps; }
  // The settings of the run fields are put once more when the worker has carried out this command
  // (Session::commands_sent() after it) and where it has opened a run, which changes them.
  void hold(const RunSettings& run, std::uint64_t command) { held_ = Held{run, command}; }
  // The run that this command opens belongs to the step of this frame's changes, to which all that
  // the user changes until then is added.
  void join(std::uint64_t command) { joined_ = command; }
  // Whether the worker is to open a run of a step: such a one, or that of an undo or redo.
  bool awaits_run() const { return joined_ || move_; }

  // After news of the worker; what the program has changed is not the user's doing. `answered`: the
  // worker has carried out all commands. Then undoes or redoes what was asked. Returns a command
  // that is to be sent to the worker.
  std::optional<SwitchRunCommand> follow(AppState& app, bool answered);

  // The user may have changed settings. While `changing`, as a slider is held or a field is typed
  // in, all changes are one step; so are changes of zoom without a pause. `now`: seconds.
  void note(const AppState& app, bool changing, double now = 0);

  const std::deque<UndoStep>& done() const { return done_; }       // oldest first
  const std::vector<UndoStep>& undone() const { return undone_; }  // the next to be redone last

 private:
  // A step that waits for the worker to open its run.
  struct Move {
    UndoStep step;
    bool undo = true;
    bool last = false;  // the user has changed something since: it cannot be redone
  };

  void add(UndoStep step);
  void add_change();
  void forget_old_pins();
  bool joins_newest(const AppState& app);
  bool goes_on(const UserSettings& now, double time) const;
  void take_run(AppState& app);
  void finish_move(AppState& app);
  std::deque<UndoStep>::iterator first_meanwhile();
  UndoStep put_below_changes(const UndoStep& moved, bool undo);
  void give_move_up();
  void forget_lost_runs(const AppState& app);
  std::optional<SwitchRunCommand> begin(AppState& app, bool undo);

  UserSettings now_;
  PinnedState pinned_;
  std::uint64_t run_ = 0;  // the open one; 0: not known yet
  bool open_ = false;      // the newest step goes on
  double zoomed_at_ = -1e9;
  int wanted_ = 0;
  struct Held {
    RunSettings run;
    std::uint64_t command = 0;
  };
  std::optional<Held> held_;
  std::optional<std::uint64_t> joined_;
  std::optional<Move> move_;
  std::deque<UndoStep> done_;
  std::vector<UndoStep> undone_;
};

}  // namespace dispersion

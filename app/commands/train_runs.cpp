#include "app/commands/train_runs.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/export/provenance.h"
#include "core/cpu/thread_pool.h"
#include "core/experiment/training_history.h"
#include "core/io/text.h"
#include "core/progress.h"

namespace dispersion {
namespace {

constexpr double kSliceSeconds = 0.05;
constexpr int kMostSteps = 4096;

// Runs at the same step `from`, which train side by side to the step `to`.
struct Group {
  std::vector<Run*> runs;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// The runs that are furthest behind; they train up to the step of the next ones. Empty if all runs
// are at the target.
Group next_group(std::vector<Run>& runs, std::int64_t target) {
  Group group{{}, target, target};
  for (const Run& run : runs)
    group.from = std::min(group.from, run.state.step);
  for (Run& run : runs) {
    if (run.state.step > group.from) group.to = std::min(group.to, run.state.step);
    if (run.state.step == group.from && group.from < target) group.runs.push_back(&run);
  }
  return group;
}

int history_threads(int threads) {
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Saves the run; Run::failure tells why that failed.
void try_to_save(const Recipe& recipe, Run& run) {
  try {
    save_run(recipe, run);
    run.failure.clear();
  } catch (const FileError& error) {
    run.failure = error.what();
  }
}

// Trains one group.
class GroupTrainer {
 public:
  GroupTrainer(Backend& backend, const TrainingPlan& plan, Group group, TrainingProgress& progress)
      : backend_(backend),
        plan_(plan),
        group_(std::move(group)),
        progress_(progress),
        thread_pool_(history_threads(plan.threads)) {
    std::vector<TrainingState> states;
    for (const Run* run : group_.runs)
      states.push_back(run->state);
    backend_.load(plan_.recipe, std::move(states));
    progress_.heads = static_cast<int>(group_.runs.size());
    if (plan_.history && is_history_step(group_.from)) add_history();  // of the loaded states
  }

  TrainingEnd train(const std::function<bool(const TrainingProgress&)>& keep_going) {
    try {
      return train_to_end(keep_going);
    } catch (const std::runtime_error& error) {
      save_copies();
      TrainingEnd end;
      end.error = error.what();
      return end;
    } catch (...) {
      save_copies();
      throw;
    }
  }

 private:
  TrainingEnd train_to_end(const std::function<bool(const TrainingProgress&)>& keep_going) {
    TrainingEnd end;
    std::int64_t step = group_.from;
    while (step < group_.to && !end.stopped && !end.non_finite) {
      const std::int64_t next_save = save_step_after(step);
      const std::int64_t next_stop = std::min({next_save, next_history_step(step), group_.to});
      const auto steps =
          static_cast<int>(std::min<std::int64_t>(slice_.pieces(), next_stop - step));
      const TrainOutcome outcome = train_slice(steps);
      step += outcome.steps_done;
      if (outcome.non_finite) {
        end.non_finite = true;
        end.non_finite_step = outcome.non_finite_step;
        end.non_finite_seed =
            group_.runs[static_cast<std::size_t>(outcome.non_finite_head)]->state.seed;
      }
      const bool history = plan_.history && outcome.steps_done > 0 && is_history_step(step);
      if (history && fetch_states(end)) add_history();
      if (step == next_save && step < group_.to) save_and_go_on(end);
      progress_.steps_done += std::int64_t{outcome.steps_done} * progress_.heads;
      const bool go_on = keep_going(progress_);
      end.stopped = !go_on && progress_.steps_done < progress_.steps_to_do;
    }
    save(end);
    return end;
  }

  // The first step after `step` at which the runs are to be saved.
  std::int64_t save_step_after(std::int64_t step) const {
    if (plan_.save_every == 0) return group_.to;
    return (step / plan_.save_every + 1) * plan_.save_every;
  }

  TrainOutcome train_slice(int steps) {
    const auto begin = std::chrono::steady_clock::now();
    records_.clear();
    const TrainOutcome outcome = backend_.train(steps, records_);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (outcome.steps_done > 0) slice_.took(outcome.steps_done, seconds.count());
    if (!records_.empty()) progress_.newest = records_.back();
    return outcome;
  }

  static bool is_history_step(std::int64_t step) { return next_history_step(step - 1) == step; }

  // Copies the states from the backend. If one of them is not finite, so that it could not be
  // saved, training ends as after a loss that is not finite, and the copies of before stay.
  bool fetch_states(TrainingEnd& end) {
    std::vector<TrainingState> states;
    for (int head = 0; head < progress_.heads; ++head) {
      states.push_back(backend_.state(head));
      if (is_finite(states.back())) continue;
      end.non_finite = true;
      end.non_finite_step = states.back().step;
      end.non_finite_seed = states.back().seed;
      return false;
    }
    for (std::size_t head = 0; head < states.size(); ++head) {
      Run& run = *group_.runs[head];
      if (states[head].step > run.state.step)
        run.backend = trained_by(run.backend, run.state.step, backend_.description());
      run.state = std::move(states[head]);
    }
    return true;
  }

  // Adds a row for every run, unless its history has that row already.
  void add_history() {
    thread_pool_.run(progress_.heads, [this](int head, int) {
      Run& run = *group_.runs[static_cast<std::size_t>(head)];
      if (!run.history.empty() && run.history.back().step >= run.state.step) return;
      run.history.push_back(measure_history(plan_.recipe, run.state));
    });
  }

  void save(TrainingEnd& end) {
    fetch_states(end);
    save_copies();
  }

  // Every run has a complete state on the host, though perhaps not all of the same step.
  void save_copies() {
    for (Run* run : group_.runs)
      try_to_save(plan_.recipe, *run);
  }

  // Warns when saving fails that did not fail before.
  void save_and_go_on(TrainingEnd& end) {
    const auto failed = [](const Run* run) { return !run->failure.empty(); };
    const bool failed_before = std::ranges::any_of(group_.runs, failed);
    save(end);
    const auto now = std::ranges::find_if(group_.runs, failed);
    if (failed_before || now == group_.runs.end() || !plan_.warn) return;
    plan_.warn((*now)->failure + "; training goes on, and the next save tries again");
  }

  Backend& backend_;
  const TrainingPlan& plan_;
  Group group_;
  TrainingProgress& progress_;
  ThreadPool thread_pool_;
  TimeSlice slice_{kSliceSeconds, kMostSteps};
  std::vector<StepRecord> records_;
};

TrainingEnd train_groups(Backend& backend, const TrainingPlan& plan, std::vector<Run>& runs,
                         const std::function<bool(const TrainingProgress&)>& keep_going) {
  TrainingProgress progress;
  for (const Run& run : runs)
    progress.steps_to_do += plan.target_step - run.state.step;
  for (;;) {
    Group group = next_group(runs, plan.target_step);
    if (group.runs.empty()) break;
    const TrainingEnd end =
        GroupTrainer(backend, plan, std::move(group), progress).train(keep_going);
    if (end.stopped || end.non_finite || !end.error.empty()) return end;
  }
  // Saves runs that had nothing left to do and have no file yet.
  for (Run& run : runs) {
    if (run.step_on_disk < run.state.step) try_to_save(plan.recipe, run);
  }
  return {};
}

// For a run that could not be saved where it should be.
void keep_elsewhere(const TrainingPlan& plan, Run& run) {
  const std::string step = "step " + std::to_string(run.state.step);
  try {
    save_elsewhere(plan.recipe, run, plan.second_place);
    run.failure += "; " + step + " is kept in " + path_text(run.file);
  } catch (const FileError& error) {
    run.failure += "; " + step + " is lost, since it cannot be kept elsewhere either: ";
    run.failure += error.what();
  }
}

}  // namespace

TrainingEnd train_runs(Backend& backend, const TrainingPlan& plan, std::vector<Run>& runs,
                       const std::function<bool(const TrainingProgress&)>& keep_going) {
  const TrainingEnd end = train_groups(backend, plan, runs, keep_going);
  for (Run& run : runs) {
    if (!run.failure.empty()) keep_elsewhere(plan, run);
  }
  return end;
}

std::string error_text(const TrainingEnd& end, const std::vector<Run>& runs) {
  std::vector<std::int64_t> saved;
  for (const Run& run : runs) {
    if (run.step_on_disk >= 0) saved.push_back(run.step_on_disk);
  }
  if (saved.empty()) return end.error + "; nothing is saved";
  const auto [first, last] = std::ranges::minmax(saved);
  std::string text = end.error + "; step " + std::to_string(first);
  if (last != first) text += " to " + std::to_string(last);
  text += " is saved";
  const std::filesystem::path place = common_place(runs);
  if (!place.empty()) text += " in " + place.string();
  const std::size_t missing = runs.size() - saved.size();
  if (missing > 0) text += "; of " + std::to_string(missing) + " of the runs nothing is saved";
  return text;
}

}  // namespace dispersion

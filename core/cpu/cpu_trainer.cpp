#include "core/cpu/cpu_trainer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/progress.h"

namespace dispersion {

using Phase = HeadTrainer::Phase;

namespace {

// Batches of more items than this take so long that a step is not waited for.
constexpr std::int64_t kStoppedItems = 1 << 15;

}  // namespace

CpuTrainer::CpuTrainer(const Recipe& recipe, std::vector<TrainingState> heads, int threads,
                       std::stop_token stop) {
  if (std::int64_t{recipe.batch_sets} * recipe.largest_set > kStoppedItems) stop_ = std::move(stop);
  for (TrainingState& head : heads)
    heads_.emplace_back(recipe, std::move(head));
  spaces_.resize(static_cast<std::size_t>(threads));
}

TrainOutcome CpuTrainer::train(int steps, std::vector<StepRecord>& records,
                               ThreadPool& thread_pool) {
  const std::size_t records_before = records.size();
  const std::int64_t step_before = heads_.empty() ? 0 : state(0).step;
  try {
    return train_while_finite(steps, records, thread_pool);
  } catch (const Stopped&) {
    restore_states();
    const auto done = static_cast<int>(state(0).step - step_before);
    records.resize(records_before + static_cast<std::size_t>(done) * heads_.size());
    return {.steps_done = done};
  }
}

TrainOutcome CpuTrainer::train_while_finite(int steps, std::vector<StepRecord>& records,
                                            ThreadPool& thread_pool) {
  const std::size_t records_before = records.size();
  keep_states(thread_pool);
  const TrainOutcome outcome = train_slice(steps, records, thread_pool);
  if (not_finite_head(thread_pool) < 0) return outcome;
  // An update can overflow although the loss and the gradient before it are finite. That is rare,
  // so the states are looked at once a slice, and the slice is repeated to find the step.
  restore_states();
  records.resize(records_before);
  return train_step_by_step(steps, records, thread_pool);
}

TrainOutcome CpuTrainer::train_step_by_step(int steps, std::vector<StepRecord>& records,
                                            ThreadPool& thread_pool) {
  TrainOutcome outcome;
  while (outcome.steps_done < steps && !outcome.non_finite) {
    const std::size_t records_before = records.size();
    keep_states(thread_pool);
    TrainOutcome step = train_together(1, records, thread_pool);
    const int head = step.non_finite ? -1 : not_finite_head(thread_pool);
    if (head >= 0) {
      restore_states();
      records.resize(records_before);
      step = {.non_finite = true, .non_finite_step = state(head).step + 1, .non_finite_head = head};
    }
    step.steps_done += outcome.steps_done;
    outcome = step;
  }
  return outcome;
}

void CpuTrainer::keep_states(ThreadPool& thread_pool) {
  before_.resize(heads_.size());
  thread_pool.run(head_count(),
                  [&](int h, int) { before_[static_cast<std::size_t>(h)] = state(h); });
}

void CpuTrainer::restore_states() {
  for (std::size_t h = 0; h < heads_.size(); ++h)
    heads_[h].restore(before_[h]);
}

// The first head whose state is not finite; -1 if there is none.
int CpuTrainer::not_finite_head(ThreadPool& thread_pool) const {
  std::vector<char> finite(heads_.size(), 1);
  thread_pool.run(head_count(), [&](int h, int) {
    finite[static_cast<std::size_t>(h)] = is_finite(state(h)) ? 1 : 0;
  });
  const auto found = std::ranges::find(finite, 0);
  return found == finite.end() ? -1 : static_cast<int>(found - finite.begin());
}

TrainOutcome CpuTrainer::train_slice(int steps, std::vector<StepRecord>& records,
                                     ThreadPool& thread_pool) {
  // A head each keeps its numbers in one core's cache and needs no waiting; with few heads that
  // would leave threads idle.
  const int heads = head_count();
  const bool apart = heads % thread_pool.threads() == 0 || heads >= 4 * thread_pool.threads();
  if (apart && train_apart(steps, records, thread_pool)) {
    return {.steps_done = steps};
  }
  return train_together(steps, records, thread_pool);
}

// Throws Stopped before work that would take long; never before a part of an update, after which
// the head would be neither of this step nor of the one before.
void CpuTrainer::run_task(HeadTrainer& head, Phase phase, int task, int thread) {
  if (phase != Phase::kUpdate && stop_.stop_requested()) throw Stopped();
  head.run(phase, task, spaces_[static_cast<std::size_t>(thread)]);
}

// All tasks of a phase of all heads, shared out.
void CpuTrainer::run_phase(Phase phase, ThreadPool& thread_pool) {
  int total = 0;
  for (const HeadTrainer& head : heads_)
    total += head.tasks(phase);
  thread_pool.run(total, [&](int task, int thread) {
    std::size_t h = 0;
    while (task >= heads_[h].tasks(phase))
      task -= heads_[h++].tasks(phase);
    run_task(heads_[h], phase, task, thread);
  });
}

TrainOutcome CpuTrainer::train_together(int steps, std::vector<StepRecord>& records,
                                        ThreadPool& thread_pool) {
  TrainOutcome outcome;
  for (int step = 0; step < steps; ++step) {
    thread_pool.run(head_count(),
                    [&](int h, int) { heads_[static_cast<std::size_t>(h)].choose_points(); });
    for (const Phase phase : HeadTrainer::kPhasesBeforeUpdate)
      run_phase(phase, thread_pool);
    for (int h = 0; h < head_count(); ++h) {
      HeadTrainer::Outcome done = heads_[static_cast<std::size_t>(h)].finish_step();
      done.record.head = h;
      if (!done.finite) {
        outcome.non_finite = true;
        outcome.non_finite_step = done.record.step;
        outcome.non_finite_head = h;
        records.resize(records.size() - static_cast<std::size_t>(h));
        return outcome;
      }
      records.push_back(done.record);
    }
    run_phase(Phase::kUpdate, thread_pool);
    for (HeadTrainer& head : heads_)
      head.step_done();
    ++outcome.steps_done;
  }
  return outcome;
}

// Returns false, with everything as at keep_states, when a head met something that is not finite:
// then the others have gone further than they should have.
bool CpuTrainer::train_apart(int steps, std::vector<StepRecord>& records, ThreadPool& thread_pool) {
  std::vector<std::vector<StepRecord>> own(heads_.size());
  std::vector<char> finite(heads_.size(), 1);
  thread_pool.run(head_count(), [&](int h, int thread) {
    HeadTrainer& head = heads_[static_cast<std::size_t>(h)];
    for (int step = 0; step < steps; ++step) {
      head.choose_points();
      for (const Phase phase : HeadTrainer::kPhasesBeforeUpdate) {
        for (int task = 0; task < head.tasks(phase); ++task)
          run_task(head, phase, task, thread);
      }
      HeadTrainer::Outcome done = head.finish_step();
      done.record.head = h;
      if (!done.finite) {
        finite[static_cast<std::size_t>(h)] = 0;
        return;
      }
      own[static_cast<std::size_t>(h)].push_back(done.record);
      for (int task = 0; task < head.tasks(Phase::kUpdate); ++task)
        run_task(head, Phase::kUpdate, task, thread);
      head.step_done();
    }
  });
  if (std::accumulate(finite.begin(), finite.end(), 0) < head_count()) {
    restore_states();
    return false;
  }
  for (int step = 0; step < steps; ++step) {
    for (const auto& head : own)
      records.push_back(head[static_cast<std::size_t>(step)]);
  }
  return true;
}

}  // namespace dispersion

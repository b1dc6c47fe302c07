#pragma once

#include <stop_token>
#include <vector>

#include "core/backend.h"
#include "core/cpu/head_trainer.h"
#include "core/cpu/thread_pool.h"

namespace dispersion {

// Trains a group of heads. What happens to a head depends neither on the threads nor on the other
// heads, so the thread pool may share the tasks of every step, or take a head each.
class CpuTrainer {
 public:
  // After a request to `stop`, a step on a very large batch is left out in its middle.
  CpuTrainer(const Recipe& recipe, std::vector<TrainingState> heads, int threads,
             std::stop_token stop = {});

  // Records come step by step, head by head. Training ends before the first step after which some
  // head could not be saved, because a weight or a moment of Adam's would not be finite, and before
  // a step that was left out. Every head has done the same steps then.
  TrainOutcome train(int steps, std::vector<StepRecord>& records, ThreadPool& thread_pool);

  int head_count() const { return static_cast<int>(heads_.size()); }
  const TrainingState& state(int head) const {
    return heads_[static_cast<std::size_t>(head)].state();
  }

 private:
  TrainOutcome train_while_finite(int steps, std::vector<StepRecord>& records,
                                  ThreadPool& thread_pool);
  TrainOutcome train_slice(int steps, std::vector<StepRecord>& records, ThreadPool& thread_pool);
  TrainOutcome train_step_by_step(int steps, std::vector<StepRecord>& records,
                                  ThreadPool& thread_pool);
  TrainOutcome train_together(int steps, std::vector<StepRecord>& records, ThreadPool& thread_pool);
  bool train_apart(int steps, std::vector<StepRecord>& records, ThreadPool& thread_pool);
  void run_phase(HeadTrainer::Phase phase, ThreadPool& thread_pool);
  void run_task(HeadTrainer& head, HeadTrainer::Phase phase, int task, int thread);
  void keep_states(ThreadPool& thread_pool);
  void restore_states();
  int not_finite_head(ThreadPool& thread_pool) const;

  std::stop_token stop_;  // of large batches only
  std::vector<HeadTrainer> heads_;
  std::vector<TrainerSpace> spaces_;   // [threads]
  std::vector<TrainingState> before_;  // [heads], of the last keep_states
};

}  // namespace dispersion

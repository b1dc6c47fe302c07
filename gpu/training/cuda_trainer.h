#pragma once

#include <vector>

#include "core/backend.h"
#include "core/cpu/thread_pool.h"
#include "gpu/runtime/stream.h"
#include "gpu/training/training_memory.h"

namespace dispersion {

// Steps of one graph: enough that launching it costs nothing beside them.
inline constexpr int kStepsPerGraph = 32;
// Where the system ends work that keeps the screen waiting, as it does on a device that draws it.
inline constexpr int kStepsPerShortGraph = 4;

// Trains a group of heads on the device: the host queues graphs of many steps, reads the reports
// when they are through, and chooses the points of the spectral path at the same steps as the CPU
// backend does. Throws CudaError.
class CudaTrainer {
 public:
  // fp32 recipes and heads of the paper's shape only.
  CudaTrainer(const Recipe& recipe, const std::vector<TrainingState>& heads,
              DeviceUse use = DeviceUse::kForeground, int steps_per_graph = kStepsPerGraph);

  // As Backend::train. When it has thrown, this and state() throw std::runtime_error.
  TrainOutcome train(int steps, std::vector<StepRecord>& records);

  int head_count() const { return static_cast<int>(heads_.size()); }
  // Fetched from the device.
  TrainingState state(int head);

 private:
  // What the host knows of a head: its state without the numbers.
  struct HeadInfo {
    std::uint32_t seed;
    std::int64_t step;
    int item_points;
    int query_points;
    int most_item_points;  // of the state; the device itself has room for kMostItemPoints
  };

  void upload(const std::vector<TrainingState>& heads);
  void require_known() const;
  Parameters<float> download(const float* from, int head);
  std::vector<int> due_heads() const;
  void download_parameters();
  bool choose_points(const std::vector<int>& due);
  void upload_points();
  int steps_to_choice() const;
  void upload_corrections(int steps);
  void record_graphs();
  void queue_steps(int steps);
  void queue_slice(int steps);
  void keep_states();
  void go_back_and_repeat(int steps);
  // Waits for the steps that were queued, adds their reports to the records and moves the heads on.
  // Returns how many were done: fewer where a step failed.
  int collect(std::int64_t steps, TrainOutcome& outcome, std::vector<StepRecord>& records);

  Recipe recipe_;
  ThreadPool thread_pool_;  // chooses points of several heads at once
  int steps_per_graph_;
  std::vector<HeadInfo> heads_;
  bool known_ = true;  // whether the device is where `heads_` says
  TrainingMemory memory_;
  Graph one_step_;
  Graph many_steps_;
  bool any_direct_ = true;        // of the graphs (GroupMemory::any_direct)
  std::vector<HeadNodes> nodes_;  // as on the device
  Stream stream_;                 // ends first: its work needs all of the above
};

}  // namespace dispersion

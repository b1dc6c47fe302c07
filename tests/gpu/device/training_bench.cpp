#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "benches.h"
#include "figures.h"
#include "gpu/training/cuda_trainer.h"
#include "shipped_heads.h"
#include "stopwatch.h"

namespace dispersion {
namespace {

struct Group {
  HeadPath path;
  int heads;

  std::string name() const {
    return std::string(head_path_name(path)) + "_" + std::to_string(heads) + "_heads_";
  }
  CudaTrainer trainer(const BenchSizes& sizes, int steps_per_graph = kStepsPerGraph) const {
    Recipe recipe;
    recipe.path = path;
    recipe.batch_sets = sizes.sets_of_step;
    return {recipe, shipped_heads(heads, path), DeviceUse::kForeground, steps_per_graph};
  }
};

double step_seconds(const Group& group, const BenchSizes& sizes) {
  CudaTrainer trainer = group.trainer(sizes);
  std::vector<StepRecord> records;
  trainer.train(sizes.steps_of_choice, records);
  std::vector<double> times;
  for (int r = 0; r < sizes.repetitions; ++r) {
    // The first step of these chooses points.
    trainer.train(sizes.steps_of_choice - sizes.steps, records);
    times.push_back(seconds_of([&] { trainer.train(sizes.steps, records); }) / sizes.steps);
  }
  return median(times);
}

double run_seconds_per_100k(const Group& group, const BenchSizes& sizes) {
  CudaTrainer trainer = group.trainer(sizes);
  std::vector<StepRecord> records;
  trainer.train(sizes.steps_of_choice, records);
  return 1e5 / sizes.steps_of_run * seconds_of([&] { trainer.train(sizes.steps_of_run, records); });
}

// Each kernel of a step for itself; `step` is what one takes in a graph.
void kernels_of_step(const Group& group, double step, const BenchSizes& sizes) {
  CudaTrainer trainer = group.trainer(sizes, 1);
  std::vector<StepRecord> records;
  trainer.train(1, records);  // with points for the path
  const std::vector<RecordedKernel> kernels = recorded_kernels();
  const std::vector<double> seconds = kernel_seconds(kernels, sizes);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    figure(group.name() + "kernel_" + std::to_string(k + 1) + "_" + kernels[k].name + "_us",
           1e6 * seconds[k]);
  }
  const auto count = static_cast<double>(kernels.size());
  const double busy =
      std::accumulate(seconds.begin(), seconds.end(), 0.0) - count * empty_kernel_seconds(sizes);
  figure(group.name() + "kernels_less_empty_ones_us", 1e6 * busy);
  figure(group.name() + "gap_us", 1e6 * (step - busy) / count);
}

void print_seeds(const Group& group) {
  std::string seeds;
  for (const TrainingState& head : shipped_heads(group.heads, group.path))
    seeds += " " + std::to_string(head.seed);
  std::printf("%d heads, %s: seeds%s\n", group.heads,
              std::string(head_path_name(group.path)).c_str(), seeds.c_str());
}

void group_bench(const Group& group, const BenchSizes& sizes) {
  print_seeds(group);
  const double step = step_seconds(group, sizes);
  figure(group.name() + "step_us", 1e6 * step);
  kernels_of_step(group, step, sizes);
  figure(group.name() + "100k_steps_s", run_seconds_per_100k(group, sizes));
}

}  // namespace

void training_bench(const BenchSizes& sizes) {
  for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
    for (const int heads : sizes.heads)
      group_bench({path, heads}, sizes);
  }
}

}  // namespace dispersion

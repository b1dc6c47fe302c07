// Times the CUDA backend on the device of this machine, and prints one JSON object. Medians of
// several repetitions after a warm-up; host clock around work that has been waited for.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "attention_bench.h"
#include "core/io/checkpoint.h"
#include "gpu/evaluation/cuda_evaluator.h"
#include "gpu/runtime/device.h"
#include "gpu/training/cuda_trainer.h"
#include "launch_gap.h"

namespace dispersion {
namespace {

constexpr int kRepetitions = 7;

double seconds(const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int r = 0; r < kRepetitions; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[kRepetitions / 2];
}

// Idle time between the kernels of a graph.
double graph_gap_us() {
  constexpr int kKernels = 1000;
  Stream stream;
  const Graph graph = stream.record([&] {
    for (int k = 0; k < kKernels; ++k)
      launch_nothing(stream);
  });
  return 1e6 / kKernels * seconds([&] {
           stream.launch(graph);
           stream.synchronise();
         });
}

std::vector<TrainingState> shipped_states(int count) {
  std::vector<TrainingState> states;
  for (int seed = 1; seed <= count; ++seed) {
    const std::string file = DISPERSION_HEADS_DIR "/seed" + std::to_string(seed) + ".safetensors";
    const Checkpoint head = load_checkpoint(file);
    states.push_back(start_training_from(head.state.parameters, head.state.seed));
  }
  return states;
}

// Without the choice of points, which comes every 256 steps and is the host's.
double step_us(HeadPath path, int heads) {
  constexpr int kSteps = 224;
  Recipe recipe;
  recipe.path = path;
  CudaTrainer trainer(recipe, shipped_states(heads));
  std::vector<StepRecord> records;
  trainer.train(1, records);
  std::vector<double> times;
  for (int r = 0; r < kRepetitions; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    trainer.train(kSteps, records);
    const double time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    times.push_back(1e6 / kSteps * time);
    trainer.train(256 - kSteps, records);
  }
  std::sort(times.begin(), times.end());
  return times[kRepetitions / 2];
}

// Steps with everything that belongs to them.
double run_seconds_per_100k(HeadPath path, int heads) {
  constexpr int kSteps = 2048;
  Recipe recipe;
  recipe.path = path;
  CudaTrainer trainer(recipe, shipped_states(heads));
  std::vector<StepRecord> records;
  trainer.train(256, records);
  const auto begin = std::chrono::steady_clock::now();
  trainer.train(kSteps, records);
  return 1e5 / kSteps *
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double evaluation_us(HeadPath path, int items, int sets) {
  const std::vector<AttentionTransform> transforms = {{TransformId::kSoftmax, 1, {}},
                                                      {TransformId::kAdaptive, 1, {}}};
  const Parameters<float> head = shipped_states(1).front().parameters;
  CudaEvaluator evaluator;
  std::vector<std::int32_t> labels;
  return 1e6 * seconds([&] {
           evaluator.evaluate_drawn(head, {.seed = 1, .items = items, .first_set = 0, .sets = sets},
                                    transforms, path, labels);
         });
}

Figures measure() {
  Figures figures;
  figures.emplace_back("graph_gap_us", graph_gap_us());
  for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
    const std::string name(head_path_name(path));
    for (const int heads : {1, 10}) {
      const std::string group = name + "_" + std::to_string(heads) + "_heads_";
      figures.emplace_back(group + "step_us", step_us(path, heads));
      figures.emplace_back(group + "100k_steps_s", run_seconds_per_100k(path, heads));
    }
    figures.emplace_back(name + "_1_set_of_1048576_us", evaluation_us(path, 1 << 20, 1));
    figures.emplace_back(name + "_128_sets_of_16384_us", evaluation_us(path, 1 << 14, 128));
  }
  add_attention_figures(figures);
  return figures;
}

}  // namespace
}  // namespace dispersion

int main() {
  using namespace dispersion;
  try {
    const DeviceInfo device = usable_device(0);
    std::printf("{\"device\": \"%s\", \"compute_capability\": \"%d.%d\", \"multiprocessors\": %d",
                device.name.c_str(), device.major, device.minor, device.multiprocessors);
    for (const auto& [name, value] : measure())
      std::printf(", \"%s\": %.6g", name.c_str(), value);
    std::printf("}\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    return 1;
  }
}

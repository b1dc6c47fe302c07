// One training step of one head on the CPU: GFLOP/s, and the share of the best rate at which any of
// the matrix libraries here multiplies, measured in the same run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/math/gelu.h"
#include "core/math/product.h"
#include "tests/bench/gemm_peak.h"
#include "tests/shipped_head.h"

namespace dispersion::bench {
namespace {

// FLOP of the matrix products of a step, forward and backward (three times forward). Per item the
// second layer; per set psi_q's second layer, Q, K^T, V, the output projection, the readout's first
// layer and its classes.
double step_flop(const Recipe& recipe) {
  const double items = recipe.batch_sets * (recipe.smallest_set + recipe.largest_set) / 2.0;
  const double per_set = 6 * 128.0 * 128 + 128.0 * 10;
  return 3 * 2 * (items * 128 * 128 + recipe.batch_sets * per_set);
}

// The same by the spectral path, with so many points: item network at the nodes, pooling and the
// gradients through it, the query network at its points, the readout per set.
double spectral_flop(const TrainingState& state) {
  const double nodes = 10.0 * state.item_points;
  const double sets = Recipe().batch_sets;
  const double queries = state.query_points;
  const double square = 128.0 * 128;
  const double logits = queries * nodes * 128 + sets * queries * nodes;
  return 3 * 2 *
         (nodes * square + sets * nodes * 128 + 3 * queries * square + logits +
          sets * (3 * square + 128.0 * 10));
}

void training_step(benchmark::State& state, HeadPath path, double peak_gflops) {
  const int threads = static_cast<int>(state.range(0));
  Recipe recipe;
  recipe.path = path;
  const auto backend = make_cpu_backend(threads);
  backend->load(recipe, {start_training({}, 1)});
  std::vector<StepRecord> records;
  constexpr int kSteps = 24;  // enough for the mean set size to come out
  double best = 1e9;
  double total = 0;
  for (auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    backend->train(kSteps, records);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kSteps;
    best = std::min(best, seconds);
    total += seconds;
    records.clear();
    (void)iteration;
  }
  state.counters["best_ms"] = best * 1e3;
  // Of all steps: the mean of this repetition.
  state.counters["ms_a_step"] = total / static_cast<double>(state.iterations()) * 1e3;
  const double flop =
      path == HeadPath::kDirect ? step_flop(recipe) : spectral_flop(backend->state(0));
  state.counters["best_GFLOP/s"] = flop / best / 1e9;
  state.counters["share_of_peak"] = flop / best / 1e9 / peak_gflops / threads;
}

// A step by the spectral path with so many points an item, whatever the head needs: the points of a
// state stand until they are chosen anew, every 256 steps.
void training_step_with_points(benchmark::State& state) {
  TrainingState start = start_training({}, 1);
  start.step = 1;
  start.item_points = static_cast<int>(state.range(0));
  start.query_points = 12;
  const auto backend = make_cpu_backend(1);
  std::vector<StepRecord> records;
  constexpr int kSteps = 24;
  double best = 1e9;
  for (auto iteration : state) {
    backend->load(Recipe(), {start});
    const auto begin = std::chrono::steady_clock::now();
    backend->train(kSteps, records);
    best = std::min(
        best,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / kSteps);
    records.clear();
    (void)iteration;
  }
  state.counters["best_ms"] = best * 1e3;
}

void gelu(benchmark::State& state) {
  std::vector<float> values(336 * 128);
  std::vector<float> slopes(values.size());
  for (auto iteration : state) {
    std::fill(values.begin(), values.end(), 0.3f);
    gelu_in_place(values.data(), slopes.data(), values.size());
    benchmark::DoNotOptimize(slopes.data());
    (void)iteration;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

// Random numbers and both transforms included.
void evaluate_items(benchmark::State& state, HeadPath path, const Parameters<float>& head,
                    double peak_gflops) {
  const int items = static_cast<int>(state.range(0));
  const int sets = std::max(1, (path == HeadPath::kDirect ? 1 << 15 : 1 << 20) / items);
  const auto backend = make_cpu_backend(1);
  const AttentionTransform transforms[] = {AttentionTransform{},
                                           AttentionTransform{TransformId::kAdaptive, 1, {}}};
  std::vector<std::int32_t> labels;
  double best = 1e9;
  for (auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(
        backend->evaluate_drawn(head, {1, items, 0, sets}, transforms, {.path = path}, labels));
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    (void)iteration;
  }
  const double count = static_cast<double>(sets) * items;
  state.counters["best_ns_an_item"] = best / count * 1e9;
  if (path == HeadPath::kDirect) {
    // The second item layer, the score and the pooling of two transforms; the readout counts as
    // nothing.
    const double flop = count * 2 * (128.0 * 128 + 3 * 128);
    state.counters["share_of_peak"] = flop / best / 1e9 / peak_gflops;
  }
}

// One transform alone, random numbers included.
void evaluate_transform(benchmark::State& state, TransformId id, const Parameters<float>& head) {
  const int items = static_cast<int>(state.range(0));
  const int sets = std::max(1, (1 << 18) / items);
  const auto backend = make_cpu_backend(1);
  const AttentionTransform transform = usual_transform(id);
  std::vector<std::int32_t> labels;
  double best = 1e9;
  for (auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(
        backend->evaluate_drawn(head, {1, items, 0, sets}, {&transform, 1}, {}, labels));
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    (void)iteration;
  }
  state.counters["best_ns_an_item"] = best / (static_cast<double>(sets) * items) * 1e9;
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<GemmRate> rates = measure_gemm_rates();
  double peak = 0;
  std::printf("Products on one core, %s:", std::string(build_info().instruction_set).c_str());
  for (const GemmRate& rate : rates) {
    std::printf("  %s %.0f GFLOP/s", rate.name.c_str(), rate.gflops);
    peak = std::max(peak, rate.gflops);
  }
  std::printf("\nPeak taken: %.0f GFLOP/s a core; a step is %.3f GFLOP of products.\n", peak,
              step_flop(Recipe{}) / 1e9);
  for (const HeadPath path : {HeadPath::kDirect, HeadPath::kSpectral}) {
    const std::string name = "training_step_" + std::string(head_path_name(path)) + "/threads";
    benchmark::RegisterBenchmark(name.c_str(), training_step, path, peak)
        ->Arg(1)
        ->Arg(2)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::RegisterBenchmark("training_step_spectral/points", training_step_with_points)
      ->Arg(24)
      ->Arg(32)
      ->Arg(40)
      ->Arg(48)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RegisterBenchmark("gelu_with_slope", gelu);
  // A trained head: a fresh one is smooth, and needs fewer points.
  const Parameters<float> head = shipped_head();
  for (const HeadPath path : {HeadPath::kDirect, HeadPath::kSpectral}) {
    const std::string name = "evaluate_" + std::string(head_path_name(path)) + "/n";
    benchmark::RegisterBenchmark(name.c_str(), evaluate_items, path, head, peak)
        ->Arg(16)
        ->Arg(1024)
        ->Arg(16384);
  }
  for (const TransformDefinition* definition : transform_definitions()) {
    const std::string name = "evaluate_" + std::string(definition->name) + "/n";
    benchmark::RegisterBenchmark(name.c_str(), evaluate_transform, definition->id, head)
        ->Arg(16)
        ->Arg(1024)
        ->Arg(16384);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace dispersion::bench

int main(int argc, char** argv) {
  return dispersion::bench::run(argc, argv);
}

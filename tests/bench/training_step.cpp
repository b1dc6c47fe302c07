// One training step of one head on the CPU: GFLOP/s, and the share of the best rate at which any of
// the matrix libraries here multiplies, measured in the same run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/math/gelu.h"
#include "core/math/product.h"
#include "tests/bench/gemm_peak.h"

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

void training_step(benchmark::State& state, double peak_gflops) {
  const int threads = static_cast<int>(state.range(0));
  const Recipe recipe;
  const auto backend = make_cpu_backend(threads);
  backend->load(recipe, {start_training({}, 1)});
  std::vector<StepRecord> records;
  constexpr int kSteps = 24;  // enough for the mean set size to come out
  double best = 1e9;
  for (auto iteration : state) {
    const auto start = std::chrono::steady_clock::now();
    backend->train(kSteps, records);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kSteps;
    best = std::min(best, seconds);
    records.clear();
    (void)iteration;
  }
  state.counters["best_ms"] = best * 1e3;
  state.counters["best_GFLOP/s"] = step_flop(recipe) / best / 1e9;
  state.counters["share_of_peak"] = step_flop(recipe) / best / 1e9 / peak_gflops / threads;
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

void evaluate_items(benchmark::State& state) {
  const int items = static_cast<int>(state.range(0));
  const auto backend = make_cpu_backend(1);
  const Parameters<float> head = initial_parameters({}, 1);
  ItemSets sets;
  sets.resize(std::max(1, 16384 / items), items);
  draw_item_sets(1, RandomPurpose::kEvaluation, 1, 0, sets);
  const AttentionMap maps[] = {AttentionMap{}, AttentionMap{MapKind::kAdaptive, 1, {}}};
  for (auto iteration : state) {
    benchmark::DoNotOptimize(backend->evaluate(head, sets.view(), maps));
    (void)iteration;
  }
  state.SetItemsProcessed(state.iterations() * sets.sets * items);
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
  benchmark::RegisterBenchmark("training_step/threads", training_step, peak)
      ->Arg(1)
      ->Arg(2)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RegisterBenchmark("gelu_with_slope", gelu);
  benchmark::RegisterBenchmark("evaluate_items/n", evaluate_items)->Arg(16)->Arg(16384);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace dispersion::bench

int main(int argc, char** argv) {
  return dispersion::bench::run(argc, argv);
}

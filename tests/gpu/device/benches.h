#pragma once

#include <cstddef>
#include <vector>

namespace dispersion {

// How much is measured. As it stands for a device; small_sizes() for the emulation, whose times
// mean nothing.
struct BenchSizes {
  int repetitions = 7;
  int chain = 1000;                                 // kernels of a graph that do nothing
  std::size_t copied_bytes = std::size_t{1} << 30;  // and the work that keeps a device waiting
  unsigned probe_blocks_of_multiprocessor = 4;
  int probe_repeats = 1 << 14;
  std::vector<int> heads = {1, 10};
  int sets_of_step = 128;
  // Timed at a time, and all until points are chosen anew, which is the host's work and not timed.
  int steps = 224;
  int steps_of_choice = 256;
  int steps_of_run = 2048;  // with all that belongs to them
  int kernel_repetitions = 25;
  std::vector<int> items = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};
  int many_sets = 128;
  int items_of_many = 1 << 14;
  int shortest_sequence = 1024;
  int longest_sequence = 131'072;
  int channels = 128;
};

BenchSizes small_sizes();

// Each prints its figures as they are measured (figures.h). Throws CudaError.

// What the device can do at best: idle time between kernels of a graph, what an empty kernel takes
// between two events, bandwidth of a copy, rates of tensor cores and of fused multiply-adds.
void machine_bench(const BenchSizes& sizes);

// A training step of groups of heads on both paths, each of its kernels, and a run.
void training_bench(const BenchSizes& sizes);

// Sets of many sizes, under softmax and adaptive temperature, on both paths.
void evaluation_bench(const BenchSizes& sizes);

// Streaming attention of one head, plain in one pass and adaptive in two, in bf16 and float, and
// the error against double along n.
void attention_bench(const BenchSizes& sizes);

}  // namespace dispersion

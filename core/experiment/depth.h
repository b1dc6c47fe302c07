#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/progress.h"

namespace dispersion {

// How dispersion interacts with depth (appendix C): a random stack of attention layers over tokens
// of a finite vocabulary, in double. A layer brings each embedding to root mean square 1, attends
// with one head (logits q . k / sqrt(width)), and puts a two-layer network with GELU on the result:
// h_i <- f(sum_j a_ij V h_j), or h_i + f(...) with residual connections. No positions.
struct DepthShape {
  int layers = 4;
  int width = 64;
  int vocabulary = 16;
};

// Kernels [width, width], row-major, applied as y = x kernel; entries normal with variance 1/width.
struct DepthLayer {
  std::vector<double> query;
  std::vector<double> key;
  std::vector<double> value;
  std::vector<double> feedforward0;
  std::vector<double> feedforward1;
};

struct DepthStack {
  DepthShape shape;
  std::vector<double> embedding;  // [vocabulary, width], entries standard normal
  std::vector<DepthLayer> layers;
};

// Every number from (seed, its place). Only the layers finished so far where `keep_going` says no.
// Throws std::invalid_argument for shapes that are none.
DepthStack random_stack(const DepthShape& shape, std::uint32_t seed,
                        const Progress& keep_going = {});

enum class TokenPattern {
  kFirst,   // {a, b, b, ..., b}: the corollary's set
  kLast,    // {b, ..., b, a}: as the appendix orders it for GPT-style models
  kHalf,    // a and b in turn: the counterexample to the remark as printed
  kRandom,  // uniform over the vocabulary; longer sequences begin like shorter ones
};
std::vector<int> depth_tokens(TokenPattern pattern, int items, int vocabulary, std::uint32_t seed);

struct DepthOptions {
  bool causal = false;  // GPT-style: item i sees the items up to i; else all see all (BERT-style)
  bool residual = false;
};

// One layer's attention.
struct LayerSpread {
  double delta = 0;           // largest spread of an item's logits
  double entropy = 0;         // nats, mean over items
  double largest_weight = 0;  // of one item on one item
  // Largest distance of an item's attention output from the average (1/n) sum_j V h_j to which the
  // remark sends them all, in root mean squares of the V h_j. 0 for uniform attention.
  double from_average = 0;
};

// [layers]. Full attention costs as many rows as there are distinct tokens, whatever n is, because
// equal tokens stay equal; causal attention costs n^2. `keep_going` is asked every few rows; on
// false the layers finished so far are returned.
std::vector<LayerSpread> run_stack(const DepthStack& stack, std::span<const int> tokens,
                                   DepthOptions options, const Progress& keep_going = {});

}  // namespace dispersion

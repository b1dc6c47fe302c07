#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/progress.h"

namespace dispersion {

// How dispersion interacts with depth (appendix C): a random stack of attention layers over tokens
// of a finite vocabulary, in double and without positions. A layer scales each embedding to root
// mean square 1, attends with one head (logits q . k / sqrt(width)), and applies a two-layer
// network f with GELU to the result: h_i <- f(sum_j a_ij V h_j), or h_i + f(...) with residual
// connections.
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

// Each number depends on the seed and on its place in the stack alone. After a stop, the stack has
// the layers that were finished. Throws std::invalid_argument unless there are at least 1 layer,
// width 1 and 2 tokens.
DepthStack random_stack(const DepthShape& shape, std::uint32_t seed,
                        const Progress& keep_going = {});

enum class TokenPattern {
  kFirst,   // {a, b, b, ..., b}: the corollary's set
  kLast,    // {b, ..., b, a}: as the appendix orders it for GPT-style models
  kHalf,    // a and b by turns: the counterexample to the remark as the paper prints it
  kRandom,  // uniform over the vocabulary; longer sequences begin like shorter ones
};
std::vector<int> depth_tokens(TokenPattern pattern, int items, int vocabulary, std::uint32_t seed);

struct DepthOptions {
  bool causal = false;  // item i attends to the items up to i (GPT-style), else to all (BERT-style)
  bool residual = false;
};

// Measurements of one layer's attention.
struct LayerSpread {
  double delta = 0;           // largest spread of an item's logits
  double entropy = 0;         // nats, mean over items
  double largest_weight = 0;  // of one item on one item
  // The largest distance of an item's attention output from the average (1/n) sum_j V h_j, to which
  // all of them tend according to the remark. The unit is the root mean square of |V h_j|. 0 for
  // uniform attention.
  double from_average = 0;
};

// Returns one LayerSpread per layer; after a stop, those of the layers that were finished. Full
// attention costs as many rows as there are distinct tokens, whatever n is, because equal tokens
// stay equal; causal attention costs n^2.
std::vector<LayerSpread> run_stack(const DepthStack& stack, std::span<const int> tokens,
                                   DepthOptions options, const Progress& progress = {});

}  // namespace dispersion

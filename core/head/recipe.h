#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// How "L2 regularisation with lambda" enters; the paper does not say, and Table 1 hangs on it
// (README, "What the paper leaves open").
enum class L2Form {
  kHalfKernels,  // loss + lambda/2 sum w^2 over kernels, not biases (default)
  kHalfAll,      // the same over every parameter (the golden data's)
  kFullKernels,  // loss + lambda sum w^2 over kernels: gradient 2 lambda w
  kFullAll,      // the same over every parameter
  kDecoupled,    // w -= lr (adam + lambda w) over every parameter (AdamW); no term in the loss
  kNone,
};

// Stable names used on the command line and in checkpoints: "half-kernels", "half-all",
// "full-kernels", "full-all", "decoupled", "none".
std::string_view l2_form_name(L2Form form);
// Throws std::invalid_argument that lists the names when there is no such form.
L2Form l2_form_from_name(std::string_view name);

// Which way the networks of single items and queries are computed (README, "The spectral path").
enum class HeadPath {
  kDirect,    // every item through its network: the definition
  kSpectral,  // at Chebyshev points, interpolated; direct where the measured error is too large
};

// "direct", "spectral".
std::string_view head_path_name(HeadPath path);
HeadPath head_path_from_name(std::string_view name);  // throws std::invalid_argument

// To what numbers are rounded (to nearest, ties to even) before they are multiplied. Sums, biases,
// GELU, softmax, the loss, the weights themselves and Adam stay in float.
enum class Precision {
  kFloat,           // nothing is rounded (default)
  kBf16Priorities,  // the priorities alone; labels come from the unrounded ones
  kFp16Priorities,
  kBf16,  // the inputs of every matrix product, in the order of the paper's listing
  kFp16,
};

// "fp32", "bf16-priorities", "fp16-priorities", "bf16", "fp16".
std::string_view precision_name(Precision precision);
Precision precision_from_name(std::string_view name);  // throws std::invalid_argument

// The path of a computation that asks for `path`. Rounded products depend on what is multiplied,
// which the spectral path changes, so they take the direct one. Rounded priorities are only other
// inputs and take either.
HeadPath path_in(Precision precision, HeadPath path);

// Limits of a recipe, which the CUDA kernels, whose indices are int, rely on.
inline constexpr int kMostBatchSets = 1 << 16;
// batch_sets times largest_set: with more, one training step needs gigabytes of memory.
inline constexpr int kMostBatchItems = 1 << 20;

// Everything that decides what a training run does, except its seed (appendix A,
// "Experimental Hyperparameters").
struct Recipe {
  L2Form l2 = L2Form::kHalfKernels;
  double l2_lambda = 1e-3;
  double learning_rate = 1e-3;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.999;
  double adam_epsilon = 1e-8;
  int batch_sets = 128;
  int smallest_set = 5;
  int largest_set = 16;
  HeadPath path = HeadPath::kSpectral;
  // Rounded products take the direct path only: path_in().
  Precision precision = Precision::kFloat;

  bool operator==(const Recipe&) const = default;
};

// Throws std::invalid_argument that names the field and what it may be. Every recipe passes it,
// whether it comes from options, from a file or from the window, so that what one of them refuses
// the others refuse too.
void validate(const Recipe& recipe);

}  // namespace dispersion

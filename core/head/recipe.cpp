#include "core/head/recipe.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "core/io/text.h"
#include "core/precision/rounding.h"

namespace dispersion {
namespace {

constexpr std::array<std::pair<L2Form, std::string_view>, 6> kFormNames = {{
    {L2Form::kHalfKernels, "half-kernels"},
    {L2Form::kHalfAll, "half-all"},
    {L2Form::kFullKernels, "full-kernels"},
    {L2Form::kFullAll, "full-all"},
    {L2Form::kDecoupled, "decoupled"},
    {L2Form::kNone, "none"},
}};

constexpr std::array<std::pair<HeadPath, std::string_view>, 2> kPathNames = {{
    {HeadPath::kDirect, "direct"},
    {HeadPath::kSpectral, "spectral"},
}};

constexpr std::array<std::pair<Precision, std::string_view>, 5> kPrecisionNames = {{
    {Precision::kFloat, "fp32"},
    {Precision::kBf16Priorities, "bf16-priorities"},
    {Precision::kFp16Priorities, "fp16-priorities"},
    {Precision::kBf16, "bf16"},
    {Precision::kFp16, "fp16"},
}};

template <class Value, std::size_t count>
std::string_view name_of(const std::array<std::pair<Value, std::string_view>, count>& names,
                         Value wanted) {
  for (const auto& [value, name] : names) {
    if (value == wanted) return name;
  }
  throw std::invalid_argument("a value without a name");
}

// `what` says what the names are of: "L2 form".
template <class Value, std::size_t count>
Value value_of(const std::array<std::pair<Value, std::string_view>, count>& names,
               std::string_view wanted, const std::string& what) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (name == wanted) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument(what + " " + in_quotes(wanted) + " is none of " + known);
}

// Training computes in float, whose normal numbers begin at 1.2e-38: anything below would be 0
// there, or as good as 0, and 0 as Adam's epsilon gives 0 / 0. Numbers above 3.4e38 are infinite.
constexpr double kSmallest = 1e-37;
constexpr double kLargest = 1e37;

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

}  // namespace

std::string_view l2_form_name(L2Form form) {
  return name_of(kFormNames, form);
}

L2Form l2_form_from_name(std::string_view name) {
  return value_of(kFormNames, name, "L2 form");
}

std::string_view head_path_name(HeadPath path) {
  return name_of(kPathNames, path);
}

HeadPath head_path_from_name(std::string_view name) {
  return value_of(kPathNames, name, "path");
}

std::string_view precision_name(Precision precision) {
  return name_of(kPrecisionNames, precision);
}

Precision precision_from_name(std::string_view name) {
  return value_of(kPrecisionNames, name, "precision");
}

HeadPath path_in(Precision precision, HeadPath path) {
  return product_rounding(precision) == Rounding::kNone ? path : HeadPath::kDirect;
}

void validate(const Recipe& recipe) {
  const auto share = [](double beta) { return beta >= 0 && beta < 1; };
  const auto within = [](double value, double low, double high) {
    return value >= low && value <= high;
  };
  // The upper limits keep one update inside the range of float, so that a run that explodes is
  // caught by its loss while its weights are still finite.
  require(recipe.l2_lambda == 0 || within(recipe.l2_lambda, kSmallest, 1e6),
          "l2_lambda must be 0 or lie in [1e-37, 1e6]");
  require(within(recipe.learning_rate, kSmallest, 1e6), "learning_rate must lie in [1e-37, 1e6]");
  require(share(recipe.adam_beta1), "adam_beta1 must lie in [0, 1)");
  require(share(recipe.adam_beta2), "adam_beta2 must lie in [0, 1)");
  require(within(recipe.adam_epsilon, kSmallest, kLargest),
          "adam_epsilon must lie in [1e-37, 1e37]");
  require(recipe.batch_sets >= 1 && recipe.batch_sets <= kMostBatchSets,
          "batch_sets must lie in 1 .. " + std::to_string(kMostBatchSets));
  require(recipe.smallest_set >= 1 && recipe.smallest_set <= 4096,
          "smallest_set must lie in 1 .. 4096");
  require(recipe.largest_set >= recipe.smallest_set && recipe.largest_set <= 4096,
          "largest_set must lie in " + std::to_string(recipe.smallest_set) + " .. 4096");
  const std::int64_t items = std::int64_t{recipe.batch_sets} * recipe.largest_set;
  require(items <= kMostBatchItems, "batch_sets times largest_set is " + std::to_string(items) +
                                        "; at most " + std::to_string(kMostBatchItems) +
                                        " items fit into a batch");
  require(recipe.path == path_in(recipe.precision, recipe.path),
          "path must be direct with precision " + std::string(precision_name(recipe.precision)));
}

}  // namespace dispersion

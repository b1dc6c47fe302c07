#include "core/head/recipe.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

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

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

}  // namespace

std::string_view l2_form_name(L2Form form) {
  for (const auto& [value, name] : kFormNames) {
    if (value == form) return name;
  }
  throw std::invalid_argument("unknown L2 form");
}

L2Form l2_form_from_name(std::string_view name) {
  std::string known;
  for (const auto& [value, form_name] : kFormNames) {
    if (form_name == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(form_name);
  }
  throw std::invalid_argument("L2 form \"" + std::string(name) + "\" is none of " + known);
}

void validate(const Recipe& recipe) {
  const auto share = [](double beta) { return beta >= 0 && beta < 1; };
  // The upper limits keep one update inside the range of float, so that a run that explodes is
  // caught by its loss while its weights are still finite.
  require(recipe.l2_lambda >= 0 && recipe.l2_lambda <= 1e6, "l2_lambda must lie in [0, 1e6]");
  require(recipe.learning_rate > 0 && recipe.learning_rate <= 1e6,
          "learning_rate must lie in (0, 1e6]");
  require(share(recipe.adam_beta1), "adam_beta1 must lie in [0, 1)");
  require(share(recipe.adam_beta2), "adam_beta2 must lie in [0, 1)");
  require(std::isfinite(recipe.adam_epsilon) && recipe.adam_epsilon > 0,
          "adam_epsilon must be a number above 0");
  require(recipe.batch_sets >= 1 && recipe.batch_sets <= 65536,
          "batch_sets must lie in 1 .. 65536");
  require(recipe.smallest_set >= 1 && recipe.smallest_set <= 4096,
          "smallest_set must lie in 1 .. 4096");
  require(recipe.largest_set >= recipe.smallest_set && recipe.largest_set <= 4096,
          "largest_set must lie in " + std::to_string(recipe.smallest_set) + " .. 4096");
}

}  // namespace dispersion

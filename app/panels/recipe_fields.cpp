#include "app/panels/recipe_fields.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace dispersion {
namespace {

constexpr std::array<const char*, 6> kL2Names = {"½λ‖w‖², kernels", "½λ‖w‖², all", "λ‖w‖², kernels",
                                                 "λ‖w‖², all",      "decoupled",   "none"};
constexpr std::array<const char*, 2> kPathNames = {"direct", "spectral"};
constexpr std::array<const char*, 5> kPrecisionNames = {"fp32", "bf16, priorities",
                                                        "fp16, priorities", "bf16", "fp16"};
constexpr std::string_view kSizeHelp =
    "Training sets have a size drawn evenly from smallest to largest: 5 to 16 in the paper.";

}  // namespace

NumberField l2_strength_field() {
  return {"λ", 0, 10, false, "Strength of the L2 term; the paper has 0.001."};
}

NumberField learning_rate_field() {
  return {"learning rate", 1e-8, 10, false, "Adam's; the paper has 0.001."};
}

NumberField batch_field(const Recipe& recipe) {
  const int most = std::min(4096, kMostBatchItems / std::max(recipe.largest_set, 1));
  return {"batch, sets", 1, static_cast<double>(most), true,
          "Sets per training step; the paper has 128."};
}

NumberField smallest_set_field(const Recipe& recipe) {
  return {"smallest set", 1, static_cast<double>(recipe.largest_set), true, kSizeHelp};
}

NumberField largest_set_field(const Recipe& recipe) {
  const int most = std::min(1024, kMostBatchItems / std::max(recipe.batch_sets, 1));
  return {"largest set", static_cast<double>(recipe.smallest_set), static_cast<double>(most), true,
          kSizeHelp};
}

NumberField seed_field() {
  return {"seed", 0, std::numeric_limits<std::uint32_t>::max(), true,
          "Decides first weights and every set. Same seed, same recipe: the same run, bit by bit."};
}

std::span<const char* const> l2_names() {
  return kL2Names;
}

std::span<const char* const> path_names() {
  return kPathNames;
}

std::span<const char* const> precision_names() {
  return kPrecisionNames;
}

void set_path(Recipe& recipe, int chosen) {
  recipe.path = path_in(recipe.precision, static_cast<HeadPath>(chosen));
}

void set_precision(Recipe& recipe, int chosen) {
  recipe.precision = static_cast<Precision>(chosen);
  recipe.path = path_in(recipe.precision, Recipe().path);
}

}  // namespace dispersion

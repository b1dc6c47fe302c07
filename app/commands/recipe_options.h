#pragma once

#include <CLI/CLI.hpp>

#include <vector>

#include "core/head/recipe.h"

namespace dispersion {

// One option per field of Recipe, with the recipe's present values as defaults. Returns the
// options, so that they can be excluded together.
std::vector<CLI::Option*> add_recipe_options(CLI::App& app, Recipe& recipe);

// --path and --precision, which recipes and evaluations share; the present values are the defaults.
CLI::Option* add_path_option(CLI::App& app, HeadPath& path);
CLI::Option* add_precision_option(CLI::App& app, Precision& precision);

}  // namespace dispersion

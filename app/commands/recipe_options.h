#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/head/recipe.h"

namespace dispersion {

// One option per field of Recipe, with the recipe's present values as defaults. Returns the names
// of the options, so that they can be excluded together.
std::vector<std::string> add_recipe_options(Subcommand& command, Recipe& recipe);

// --path and --precision, which recipes and evaluations share; the present values are the defaults.
void add_path_option(Subcommand& command, HeadPath& path);
void add_precision_option(Subcommand& command, Precision& precision);

}  // namespace dispersion

#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/attention/transforms.h"
#include "core/head/recipe.h"

namespace dispersion {

// Options that several commands take: recipes, how heads are computed, and attention transforms.

// Adds an option for every field of a recipe; the present values are the defaults. Returns the
// names of the options, so that they can be excluded together.
std::vector<std::string> add_recipe_options(Subcommand& command, Recipe& recipe);

// Add --path and --precision, which recipes and evaluations share; the present values are the
// defaults.
void add_path_option(Subcommand& command, HeadPath& path);
void add_precision_option(Subcommand& command, Precision& precision);

// A recipe on one line for the user: "L2 half-kernels 0.001, Adam 0.001 (0.9, 0.999, 1e-08), 128
// sets of 5 .. 16 items, spectral".
std::string recipe_text(const Recipe& recipe);

// Adds --transforms, a list such as "softmax,top-k:k=8" in which each transform occurs once;
// `values` are the default. An unknown transform or a setting out of range is a UsageError.
void add_transforms_option(Subcommand& command, std::vector<AttentionTransform>& values,
                           const std::string& help);

// Transforms as a list such as "softmax,top-k:k=8", and such a list as transforms. Reading throws
// UsageError.
std::string transforms_text(const std::vector<AttentionTransform>& transforms);
std::vector<AttentionTransform> parse_transforms(const std::string& text);

// The names of all transforms for a help text: "softmax, adaptive, ...".
std::string transform_names();

}  // namespace dispersion

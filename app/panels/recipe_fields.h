#pragma once

#include <span>

#include "app/panels/input_fields.h"
#include "core/head/recipe.h"

namespace dispersion {

// The fields of a recipe, for the recipe panel and for the palette.

NumberField l2_strength_field();
NumberField learning_rate_field();
NumberField batch_field(const Recipe& recipe);  // with the largest set, what fits into a batch
NumberField smallest_set_field(const Recipe& recipe);  // at most the largest
NumberField largest_set_field(const Recipe& recipe);   // at least the smallest; what fits
NumberField seed_field();

// In the order of L2Form, HeadPath and Precision.
std::span<const char* const> l2_names();
std::span<const char* const> path_names();
std::span<const char* const> precision_names();

// Some precisions allow one path alone.
void set_path(Recipe& recipe, int chosen);
void set_precision(Recipe& recipe, int chosen);

}  // namespace dispersion

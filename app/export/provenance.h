#pragma once

#include <string>
#include <string_view>

#include "core/figure/figure.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// What every file says of where its figure came from, in parts; all are names and values in order.

// Program, version and commit.
Provenance provenance_of_build();

// Head, recipe, seed, step and run hash.
Provenance provenance_of_head(std::string_view name, const Recipe& recipe,
                              const TrainingState& state);

// Adds what is not named yet.
void add_missing(Provenance& all, const Provenance& more);

// The date of the environment's SOURCE_DATE_EPOCH (seconds since 1970, UTC), like
// "2026-01-31T12:00:00Z"; empty where it is not set. Throws std::invalid_argument.
std::string date_of_environment();

}  // namespace dispersion

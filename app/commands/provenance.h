#pragma once

#include <map>
#include <string>

#include "app/commands/output.h"
#include "core/backend.h"
#include "core/figure/figure.h"
#include "core/head/training_state.h"

namespace dispersion {

// "version", "commit", "build_type", "instruction_set", "compiler", "backend": the build and
// the backend that made a result.
Json build_provenance(const Backend& backend);
// The same for a backend with this description.
Json build_provenance(const std::string& backend);

// "seed", "step", "run_hash" and "recipe" of a head.
Json head_provenance(const Recipe& recipe, const TrainingState& state);

// The recipe on one line for the user: "L2 half-kernels 0.001, Adam 0.001 (0.9, 0.999, 1e-08), 128
// sets of 5 .. 16 items".
std::string recipe_text(const Recipe& recipe);

// The metadata of a checkpoint. Nothing in it depends on time, threads or folders, so that the same
// run gives the same bytes.
std::map<std::string, std::string> checkpoint_metadata();

// The provenance of a figure of one head.
Provenance figure_provenance(const Backend& backend, const Recipe& recipe,
                             const TrainingState& state);

}  // namespace dispersion

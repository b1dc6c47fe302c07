#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/attention/transforms.h"
#include "core/head/training_state.h"
#include "core/io/file.h"
#include "core/io/safetensors.h"

namespace dispersion {

// What a checkpoint file holds: a safetensors file with the 20 tensors of the head (names of the
// golden data) and those that its attention transform learned, the Adam moments as adam.m.NAME and
// adam.v.NAME unless it is weights only, and metadata.
struct Checkpoint {
  Recipe recipe;
  TrainingState state;  // moments are zero when has_moments is false
  bool has_moments = true;
  // Run state beyond the numbers; kept through save and load: "program", "version", "commit", ...
  std::map<std::string, std::string> metadata;
};

// Metadata keys: "format" = "dispersion-lab-head", "format_version" = "1", "recipe" (JSON object),
// "seed", "step", "width", "classes", "run_hash", "item_points", "query_points", and those of
// `metadata`. Written atomically.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// Reads our own checkpoints, and bare heads: a file with just the 20 tensors (such as one written
// from Python) gives the default recipe, seed 1, step 0. Throws FileError for anything missing,
// foreign, truncated or not finite.
Checkpoint load_checkpoint(const std::filesystem::path& path);
// The same from a file that is in memory already, such as the head inside the program. Tensors that
// one of the transforms learns make the head one that was trained with it.
Checkpoint checkpoint_from(
    const TensorFile& file,
    std::span<const TransformDefinition* const> transforms = transform_definitions());

// Recipe to and from a JSON object with the field names of Recipe; unknown fields are refused.
std::string recipe_to_json(const Recipe& recipe);
Recipe recipe_from_json(std::string_view json);  // throws std::invalid_argument

}  // namespace dispersion

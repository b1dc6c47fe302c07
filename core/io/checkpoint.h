#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  // False for a bare head: recipe, seed and step are unknown then, and those here are defaults.
  bool has_run = true;
  // How a bare head was read where its file is not as ours are: which prefix its names have, what
  // was widened, what was ignored. Empty if there is nothing to say.
  std::string remark = {};
};

// What is said of a head without a run, in place of its recipe, seed and step.
inline constexpr std::string_view kWeightsOnly = "weights only: seed, step and recipe unknown";

// Metadata of a head whose weights had been trained so many steps before its state began to count.
inline constexpr const char* kStepsBefore = "steps_before";
std::int64_t steps_before_in(const Checkpoint& checkpoint);  // 0: none, or not known

// Metadata keys: "format" = "dispersion-lab-head", "format_version" = "1", "recipe" (JSON object),
// "seed", "step", "width", "classes", "run_hash", "item_points", "query_points",
// "most_item_points", and those of `metadata`; for a bare head `metadata` alone. Written
// atomically.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
// The same for a new file: returns false, with nothing changed, where one has the name already.
bool create_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
// The same under `path` or, where that is taken, NAME-2, NAME-3, ...; returns the name it got.
std::filesystem::path save_under_free_name(const std::filesystem::path& path,
                                           const Checkpoint& checkpoint);

// Reads our own checkpoints, and bare heads: a file without our metadata, such as one that a
// program in Python has written. Of a bare head the names may have a common prefix ("model."), the
// numbers may be F16 or BF16, which are widened exactly, and other tensors are ignored; `remark`
// says so. With F16 or BF16 numbers one of our own checkpoints is a bare head too, since they are
// not those of its run any more. Adam moments of a bare head are left out, since their step is
// unknown. Throws FileError for anything missing, foreign, truncated or not finite.
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

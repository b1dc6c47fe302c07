#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/figure/figure.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// Provenance says how a file or a result was made. This file defines what is recorded, and how it
// is written into files and read back. A Provenance is a list of names and values, both texts; it
// is put together from the parts below and from what an experiment or a command adds.

// --- What is recorded ---

// "program", "version" and "commit".
Provenance provenance_of_build();

// "head", which is the given name, "recipe" as JSON, "seed", "step" and "run_hash". With an empty
// name there is no "head". Without `has_run` (as in Checkpoint) "run" says that recipe, seed and
// step are unknown, in place of these. Steps are counted as in core/figure/trained_steps.h;
// `steps_before`: those that the state does not count.
Provenance provenance_of_head(std::string_view name, const Recipe& recipe,
                              const TrainingState& state, bool has_run = true,
                              std::int64_t steps_before = 0);

// How many steps a head is trained in all, as the provenance of its figure says: "100675", or
// "900 to 1000"; empty: not said. Earlier versions wrote as "step" those since its moments were
// fresh, and those before as "steps_before".
std::string trained_steps(const Provenance& provenance);
// At which of these steps its moments were fresh; 0: at the first.
std::int64_t fresh_moments_step(const Provenance& provenance);

// Appends the entries of `more` whose names are not in `all` yet.
void add_missing(Provenance& all, const Provenance& more);

// The value of the entry with this name; empty if there is none.
std::string_view provenance_value(const Provenance& provenance, std::string_view name);

// The date of the environment variable SOURCE_DATE_EPOCH (seconds since 1970, UTC), in the form
// "2026-01-31T12:00:00Z"; empty if it is not set. Throws std::invalid_argument if it is no date.
std::string date_of_environment();

// What the JSON that a command prints says of the build: "version", "commit", "build_type",
// "instruction_set", "compiler" and "backend", which is the given description.
nlohmann::ordered_json build_provenance_json(const std::string& backend);

// What such JSON says of a head: "seed", "step", "run_hash", and "recipe" as an object. Without
// `has_run` (as in Checkpoint) "seed", "step" and "recipe" are null. Steps are counted as above;
// where moments were fresh later, "fresh_moments_at_step" says so.
nlohmann::ordered_json head_provenance_json(const Recipe& recipe, const TrainingState& state,
                                            bool has_run, std::int64_t steps_before);

// The metadata that a checkpoint gets beside its recipe, seed and step: program, build, and
// "backend", which is what trained_by() gave. They do not depend on time, threads or folders, so
// that the same run always gives the same bytes.
std::map<std::string, std::string> checkpoint_metadata(const std::string& backend);

// What has trained the run in a checkpoint, from its metadata; empty where they do not say.
std::string backend_in_metadata(const std::map<std::string, std::string>& metadata);

// What has trained a run that `before` has trained for `step` steps, and from there on `now`, the
// description of a backend: "CUDA device 0, NAME to step 200; then CPU, AVX-512". An empty `before`
// is not known.
std::string trained_by(const std::string& before, std::int64_t step, const std::string& now);

// --- How it is written and read ---

// Most bytes of a provenance in a file, unpacked. No file that the program writes comes near it;
// readers refuse what has more before it takes memory and time.
inline constexpr std::size_t kLargestProvenance = std::size_t{1} << 20;

// Throws LimitError for a text in a file that has more bytes than `most`.
[[noreturn]] void refuse_longer_than(std::size_t most);

// One JSON object of texts in the given order. It is pure ASCII, so that every file format can hold
// it unchanged.
std::string provenance_json(const Provenance& provenance);

// The provenance in such JSON; nothing for a missing text and for any other JSON. Throws
// LimitError.
std::optional<Provenance> provenance_from_json(const std::optional<std::string>& text);
std::optional<Provenance> provenance_from_json(const nlohmann::ordered_json& object);

// Comment lines "BEGINname: valueEND", one for each entry. The characters in `forbidden`, which
// would end a comment too early, are left out, and what cannot be seen is escaped (visible_text()).
std::string provenance_comments(const Provenance& provenance, std::string_view begin,
                                std::string_view end, std::string_view forbidden);

// The provenance in the comment lines at the start of a text. Nothing if the text ends before any
// other line: then it is cut off, and its last value may be incomplete. Throws LimitError if the
// comment lines have more than kLargestProvenance bytes.
std::optional<Provenance> provenance_in_comments(std::string_view bytes, std::string_view begin,
                                                 std::string_view end);

}  // namespace dispersion

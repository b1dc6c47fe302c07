#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/figure/figure.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// What every file says of where its figure came from: names and values in order, made of parts.

// Program, version and commit.
Provenance provenance_of_build();

// Head, recipe, seed, step and run hash.
Provenance provenance_of_head(std::string_view name, const Recipe& recipe,
                              const TrainingState& state);

// The value of that name; empty when there is none.
std::string_view provenance_value(const Provenance& provenance, std::string_view name);

// Adds what is not named yet.
void add_missing(Provenance& all, const Provenance& more);

// The date of the environment's SOURCE_DATE_EPOCH (seconds since 1970, UTC), like
// "2026-01-31T12:00:00Z"; empty where it is not set. Throws std::invalid_argument.
std::string date_of_environment();

// As one JSON object of texts, in order, in ASCII alone, so that it stands as it is in every
// format.
std::string provenance_json(const Provenance& provenance);

// The other way; nothing for anything else.
std::optional<Provenance> provenance_from_json(const std::optional<std::string>& text);
std::optional<Provenance> provenance_from_json(const nlohmann::ordered_json& object);

// Of the lines "BEGINname: valueEND" at the start of a text, up to the first other line. Nothing
// where the text ends before that: it is cut, and its last value may be so too.
std::optional<Provenance> provenance_in_comments(std::string_view bytes, std::string_view begin,
                                                 std::string_view end);

// Where an exported figure came from, read back out of the bytes of its file, whose format is told
// by what is in them. `file` is its name in errors. A cut file gives all of its provenance or an
// error. Throws FileError that says what was expected.
Provenance stored_provenance(const std::filesystem::path& file, std::string_view bytes);

}  // namespace dispersion

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/provenance.h"

namespace dispersion {

// Parts of docs/table1.md, from several stored tables; `results` has at least one.

// The arm whose table is nearest to the paper's, of those with as many seeds as the first.
std::string nearest_sentence(const std::vector<Json>& results);

// Where the paper's means lie beside the intervals of every arm.
std::string verdict_table(const std::vector<Json>& results);

// One map of all arms side by side.
std::string comparison(const std::vector<Json>& results, std::string_view map);

// How often the paper's means lie between those of two arms: the one that rounds nothing, and the
// one that rounds the inputs of all products.
std::string between_section(const Json& exact, const Json& rounded);

// The same seeds trained by the spectral and by the direct path, pair by pair.
std::string path_section(const Json& spectral, const Json& direct);

}  // namespace dispersion

#pragma once

#include <nlohmann/json.hpp>

#include "core/experiment/size_table.h"

namespace dispersion {

// The counts and sums of a row under their names, without its size, transform and number of sets.
void add_row(nlohmann::ordered_json& object, const SizeRow& row);

// The other way. Throws nlohmann's exceptions when something is missing or of another kind.
void read_row(const nlohmann::json& object, SizeRow& row);

}  // namespace dispersion

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/experiment/size_table.h"
#include "core/io/json.h"

namespace dispersion {

// The counts and sums of a row under their names, without its size, transform and number of sets.
void add_row(nlohmann::ordered_json& object, const SizeRow& row);

// The other way. Throws FileError when something is missing or of another kind.
void read_row(const JsonValue& object, SizeRow& row);

}  // namespace dispersion

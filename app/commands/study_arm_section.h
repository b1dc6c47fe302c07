#pragma once

#include <string>

#include "app/commands/provenance.h"

namespace dispersion {

// Parts of docs/table1.md, from one stored table.

// The arm cell by cell beside the paper, with the sentences it deserves.
std::string arm_section(const Json& result);

// The 95 % interval of a cell over its seeds, or why there is none.
std::string interval_text(const Json& row);
std::string deviation_text(const Json& row);

// Seeds, steps, sets, commits and runs.
std::string head_source_text(const Json& result);

}  // namespace dispersion

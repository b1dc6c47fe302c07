#pragma once

#include <string_view>

namespace dispersion {

// Table 1 of the shipped heads as it was computed before, assets/table.json, inside the program
// (core/io/stored_table.h).
std::string_view embedded_table();

// What rounding does to each of them, assets/precision.jsonl, the same
// (core/io/stored_precision.h).
std::string_view embedded_precision();

}  // namespace dispersion

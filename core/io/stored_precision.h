#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/precision_comparison.h"

namespace dispersion {

// What rounding does to a head as it was measured before, and what it was measured from and with.
struct StoredPrecision {
  std::string commit;    // of the program that measured it
  std::string backend;   // as it describes itself
  std::string run_hash;  // of the head
  PrecisionSettings settings;
  std::vector<PrecisionRow> rows;  // all of them
};

// One JSON object on one line, with as many digits as bring every number back.
std::string stored_precision_line(const StoredPrecision& stored);

// The other way, a line for every head. `name` stands in errors for the file; throws FileError that
// names the line.
std::vector<StoredPrecision> parse_stored_precision(const std::string& name, std::string_view text);

}  // namespace dispersion

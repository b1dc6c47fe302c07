#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/table_one.h"

namespace dispersion {

// Table 1 as it was computed before, down to the sums of every cell, and what it was computed from
// and with, so that nobody takes it for another.
struct StoredTable {
  std::string commit;                   // of the program that computed it
  std::string backend;                  // as it describes itself
  std::vector<std::string> run_hashes;  // of the heads, in the order of run.seeds
  TableRun run;                         // whole; table_transforms() under the default settings
};

// JSON, a line for every cell, with as many digits as bring every number back.
std::string stored_table_json(const StoredTable& table);

// The other way. `name` stands in errors for the file; throws FileError.
StoredTable parse_stored_table(const std::string& name, std::string_view json);

}  // namespace dispersion

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/precision_comparison.h"
#include "core/experiment/table_one.h"

namespace dispersion {

// Results of experiments in files, with what they were computed from and by, so that they are not
// taken for results of other heads. Numbers are written with as many digits as restore them
// exactly.

// Table 1, with the sums of every cell.
struct StoredTable {
  std::string commit;                   // of the program that computed it
  std::string backend;                  // its description
  std::vector<std::string> run_hashes;  // of the heads, in the order of run.seeds
  TableRun run;                         // complete, under table_transforms() with default settings
};

// One JSON object, with a line for every cell.
std::string stored_table_json(const StoredTable& table);

// Reads what stored_table_json() wrote. `name`: what errors call the file; throws FileError.
StoredTable parse_stored_table(const std::string& name, std::string_view json);

// The comparison of precisions for one head.
struct StoredPrecision {
  std::string commit;    // of the program that measured it
  std::string backend;   // its description
  std::string run_hash;  // of the head
  PrecisionSettings settings;
  std::vector<PrecisionRow> rows;  // complete
};

// One JSON object on one line.
std::string stored_precision_line(const StoredPrecision& stored);

// Reads a file of such lines, one per head. `name`: what errors call the file; throws FileError
// that names the line.
std::vector<StoredPrecision> parse_stored_precision(const std::string& name, std::string_view text);

}  // namespace dispersion

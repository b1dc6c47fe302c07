#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/table_one.h"
#include "core/experiment/temperature_fit.h"
#include "core/experiment/training_history.h"
#include "core/io/stored_precision.h"

namespace dispersion {

// What the program brings along for studies.
struct StudyMaterial {
  std::vector<TableHead> heads;    // the shipped heads
  std::vector<History> histories;  // of their training
  // Table 1 of these heads as it was computed before, and in words by what; nothing: not there.
  std::optional<TableRun> table;
  std::string table_source;
  std::vector<StoredPrecision> precisions;  // what rounding does to some heads, the same
};

// What studies keep between two runs, to go on where they stopped. Touched by jobs only, which run
// one at a time.
struct StudyShelf {
  std::string table_key;
  std::optional<TableRun> table;
};

}  // namespace dispersion

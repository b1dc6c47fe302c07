#pragma once

#include <string>
#include <vector>

#include "app/commands/head_source.h"
#include "app/commands/provenance.h"
#include "core/experiment/table_summary.h"

namespace dispersion {

// What a table was made of, beside its cells.
struct TableInputs {
  std::vector<HeadSource> heads;
  TableSettings settings;
  std::vector<TransformId> shown;  // the transforms whose rows are wanted
};

// One object: "command", "heads", "sets_per_seed", ..., how it was built, and "rows". Shares are
// fractions; a number that does not exist is null, and "..._reason" says why.
Json table_json(const TableInputs& inputs, const TableOne& table, const Backend& backend);

// The rows of that object with one heading line; a number that does not exist is left empty.
std::string table_csv(const TableInputs& inputs, const TableOne& table);

// For people, within 100 columns.
std::string table_text(const TableInputs& inputs, const TableOne& table);

}  // namespace dispersion

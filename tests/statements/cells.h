#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>

#include "core/experiment/result_table.h"
#include "core/figure/figure.h"
#include "tests/statements/claims.h"

namespace dispersion {

// What is true of a cell: a number, one that may be no double, by its logarithm to base 10, a name,
// or that there is nothing to be shown.
struct Log10 {
  double value = 0;
  double tolerance = 0;
};
struct NoNumber {};
using TrueCellValue = std::variant<Truth, Log10, std::string, NoNumber>;

// By the heading of a column: what is true of its cell in a row.
using TrueColumns = std::map<std::string, std::function<TrueCellValue(std::size_t row)>>;

// Compares every cell that people are shown with what is true. Fails for a column that nobody
// recomputes.
void check_cells(const ResultTable& table, const TrueColumns& columns);
// The same for the text of each cell and the number behind it.
void check_cells(const Table& table, const TrueColumns& columns);

}  // namespace dispersion

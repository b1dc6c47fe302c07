#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/table_one.h"
#include "tests/statements/claims.h"

namespace dispersion {

// What is true of a table, recomputed from the shares of its heads, with Student's t by numerical
// integration and the paper's table as it is printed.

struct MeanAndInterval {
  double mean = 0;
  double low = 0;
  double high = 0;
  bool is_cut = false;
  double p = 1;  // that the mean is 0
};

struct TrueCell {
  std::vector<double> shares;  // [heads evaluated]
  std::vector<double> plain;   // of softmax on the same
  bool complete = true;
  bool independent = true;  // no two heads have the same sets
  int heads = 0;            // of the table
  std::int64_t sets = 0;    // of the head that has the fewest
  std::optional<double> paper = {};
  std::optional<double> paper_gain = {};

  std::optional<MeanAndInterval> interval() const;
  std::vector<double> gains() const;
  std::optional<MeanAndInterval> gain() const;
  bool surely_better() const;
  std::optional<bool> inside() const;
  std::optional<bool> gain_inside() const;
  // If each of the paper's two means may be half a tenth of a point from what it prints.
  std::optional<bool> gain_may_be_inside() const;
};

// By size and the name of the transform.
using TrueCells = std::map<std::pair<int, std::string>, TrueCell>;

// Table 1 of the paper, in percent.
struct PaperCell {
  double softmax = 0;
  double adaptive = 0;
};
const std::map<int, PaperCell>& paper_in_percent();

// Of the counts of a run, and of the rows "rows" of a result, of heads with different seeds, with
// so many sets each.
TrueCells true_cells(const TableRun& run);
TrueCells true_cells(const ResultTable& rows, std::int64_t sets);

double mean_of(const std::vector<double>& values);
// The value of the column with this key, or with this heading where it has none.
const ResultValue& value_at(const ResultTable& table, std::size_t row, std::string_view name);

// All that figure and command claim of the table.
Claims table_claims(const TrueCells& cells);

}  // namespace dispersion

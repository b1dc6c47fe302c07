#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// The numbers behind a part of a figure as rows and columns: to be read, sorted and copied.

struct DataColumn {
  std::string heading;              // with symbol and unit: "entropy H (nats)"
  std::vector<double> values = {};  // [rows]; NaN where there is no number
  std::vector<std::string> texts =
      {};               // [rows], shown where there is no number; empty: there are none
  bool single = false;  // the values are floats, and are written as such
};

struct DataTable {
  std::string title;
  std::vector<DataColumn> columns;
  std::size_t rows = 0;
};

// A row for every x, and a column for every series that is not hidden, with its interval where it
// has one. Points that share an x within a series have a row each. Histograms have a row per bar.
DataTable data_table(const LinePlot& plot);
// A row for every sample.
DataTable data_table(const FieldPlot& plot);
// The table's own rows, unrounded, with the intervals in columns of their own.
DataTable data_table(const Table& table);
// A row for every cell of every frame.
DataTable data_table(const HeatmapGrid& grid);

// The number that a title such as "1 024" is; NaN if it is none.
double number_in(std::string_view title);

// Equal for equal numbers, so that a table has to be made again only after a change.
std::uint64_t fingerprint(const LinePlot& plot);
std::uint64_t fingerprint(const FieldPlot& plot);
std::uint64_t fingerprint(const Table& table);
std::uint64_t fingerprint(const HeatmapGrid& grid);

// The indices of all rows in the order of one column: numbers, then texts, then empty cells, which
// come last in both directions. Equal ones keep their order. Column -1: the table's own order.
std::vector<std::size_t> sorted_rows(const DataTable& table, int column, bool descending);

// A cell for reading: whole numbers in full, others with six significant digits.
std::string shown_text(const DataColumn& column, std::size_t row);
// The same with all digits and '.' as the decimal point.
std::string exact_text(const DataColumn& column, std::size_t row);

// The headings and these rows as tab-separated lines.
std::string tab_separated(const DataTable& table, std::span<const std::size_t> rows);

}  // namespace dispersion

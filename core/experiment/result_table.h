#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/figure/statement.h"

namespace dispersion {

// The result of an experiment as tables of named columns. The text for people, the JSON and the CSV
// are made from the same tables, so that all three have the same numbers.

// The value of one cell: nothing, yes or no, a whole number, a number, text, or a list of numbers.
// A number that is not finite is written as if it were missing.
using ResultValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>>;

template <class Number>
ResultValue optional_value(const std::optional<Number>& value) {
  return value ? ResultValue(*value) : ResultValue();
}

// How a number is written for people.
enum class NumberForm {
  kPlain,        // whole numbers and text
  kName,         // text that is aligned on the left
  kFixed,        // with ResultColumn::digits after the point
  kPercent,      // a share in [0, 1] as a percentage, with `digits` after the point
  kScientific,   // with `digits` after the point and a power of ten
  kSignificant,  // with `digits` significant digits
};

struct ResultColumn {
  std::string_view key;      // in JSON and CSV; empty: the column is in the text only
  std::string_view heading;  // in the text, with the unit; empty: it is in JSON and CSV only
  NumberForm form = NumberForm::kPlain;
  int digits = 0;
};

// How the text shows a long list as a matrix: with a line for each value of the first visible
// column and a column for each value of the column `across`, whose cells hold the column `shown`.
struct ResultPivot {
  std::string_view across;  // key of a column; empty: the text shows a plain list
  std::string_view shown;   // key of a column
  std::string_view prefix;  // before the values of `across` in the headings: "n="
};

struct ResultFact {
  std::string_view key;
  ResultValue value;
};

struct ResultTable {
  std::string_view key;  // in JSON, where tables with the same key become one list
  Statement title;       // in the text; may be empty
  std::vector<ResultColumn> columns;
  std::vector<std::vector<ResultValue>> rows;  // [rows, columns]
  std::vector<Statement> notes = {};           // sentences below the table
  // Values beside the rows. If there are any, JSON has an object with them and with "rows".
  std::vector<ResultFact> facts = {};
  ResultPivot pivot = {};
  bool for_people = true;  // false: the text leaves the table out, since it is too long to read
};

// A column, and how its value is read from one of the things that the rows stand for.
template <class Row>
struct ColumnOf {
  ResultColumn column;
  std::function<ResultValue(const Row&)> value;
};

template <class Row, class Rows>
ResultTable result_table(std::string_view key, const std::vector<ColumnOf<Row>>& columns,
                         const Rows& rows) {
  ResultTable table;
  table.key = key;
  for (const ColumnOf<Row>& column : columns)
    table.columns.push_back(column.column);
  for (const Row& row : rows) {
    table.rows.emplace_back();
    for (const ColumnOf<Row>& column : columns)
      table.rows.back().push_back(column.value(row));
  }
  return table;
}

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dispersion {

// What an experiment found, as tables of named columns: text for people, JSON and CSV come from
// them, so that all three have the same numbers.

// Nothing, yes or no, a whole number, a number, text, or numbers. Numbers that are not finite are
// as good as nothing.
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
  kFixed,        // so many digits after the point
  kPercent,      // a share times 100, so many digits after the point
  kScientific,   // so many digits after the point, with a power of ten
  kSignificant,  // so many digits that count
};

struct ResultColumn {
  std::string_view key;      // in JSON and CSV; empty: for people alone
  std::string_view heading;  // for people, with the unit; empty: for programs alone
  NumberForm form = NumberForm::kPlain;
  int digits = 0;
};

// A matrix in the place of a long list, for people: a line for every value of the first of the
// visible columns, and a column for every value of `across` that holds `shown`.
struct ResultPivot {
  std::string_view across;  // keys of columns; empty: a plain list
  std::string_view shown;
  std::string_view prefix;  // before the values of `across` in the headings: "n="
};

struct ResultFact {
  std::string_view key;
  ResultValue value;
};

struct ResultTable {
  std::string_view key;  // in JSON; tables of one key are one list there
  std::string title;     // for people; may be empty
  std::vector<ResultColumn> columns;
  std::vector<std::vector<ResultValue>> rows;  // [rows, columns]
  std::vector<std::string> notes = {};         // sentences below the table
  std::vector<ResultFact> facts = {};          // with facts JSON has an object: these, and "rows"
  ResultPivot pivot = {};
  bool for_people = true;  // false: too long to be read
};

// A column of a list of things, and how to get its value from one.
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

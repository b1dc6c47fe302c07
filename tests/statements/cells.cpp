#include "tests/statements/cells.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dispersion {
namespace {

// What is left open by the digits that are shown, and by `tolerance`.
double room_of(const ShownNumber& shown, double tolerance) {
  return shown.half_unit * (1 + 1e-9) + tolerance;
}

bool is_shown(const std::string& text, const Truth& truth) {
  if (text.starts_with(">")) return truth.value > read_shown(text.substr(1)).value;
  const ShownNumber shown = read_shown(text);
  if (shown.below) return truth.value < shown.value;
  return std::abs(truth.value - shown.value) <= room_of(shown, truth.tolerance);
}

// "10^302.6", or the number itself.
bool is_shown(const std::string& text, const Log10& truth) {
  if (text.starts_with("10^")) {
    const ShownNumber shown = read_shown(text.substr(3));
    return std::abs(truth.value - shown.value) <= room_of(shown, truth.tolerance);
  }
  const ShownNumber shown = read_shown(text);
  // In first order; downwards -log(1 - r) is 1.1 r at most where r is 0.17, and it is 0.05 for the
  // smallest number of two digits.
  const double room = room_of(shown, 0) / shown.value / std::log(10.0);
  return std::abs(truth.value - std::log10(shown.value)) <= room * 1.1 + truth.tolerance;
}

bool is_shown(const std::string& text, const std::string& truth) {
  return text == truth;
}

bool is_shown(const std::string& text, NoNumber) {
  return text == "–" || text == "-" || text.empty();
}

// A number that is not rounded yet.
bool is_value(double value, const TrueCellValue& truth) {
  if (const auto* number = std::get_if<Truth>(&truth))
    return std::abs(value - number->value) <= number->tolerance;
  if (const auto* log10 = std::get_if<Log10>(&truth))
    return std::abs(std::log10(value) - log10->value) <= log10->tolerance;
  return false;
}

bool is_text(const std::string& text, const TrueCellValue& truth) {
  return std::visit([&](const auto& of) { return is_shown(text, of); }, truth);
}

std::string text_of(const TrueCellValue& truth) {
  if (const auto* number = std::get_if<Truth>(&truth)) {
    return std::to_string(number->value) + " give or take " + std::to_string(number->tolerance);
  }
  if (const auto* log10 = std::get_if<Log10>(&truth)) return "10^" + std::to_string(log10->value);
  if (const auto* name = std::get_if<std::string>(&truth)) return *name;
  return "nothing";
}

void check(const ResultValue& value, const TrueCellValue& truth, const std::string& where) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    EXPECT_TRUE(is_text(*text, truth)) << where << ": " << *text << " for " << text_of(truth);
  } else if (const auto* number = std::get_if<double>(&value)) {
    EXPECT_TRUE(is_value(*number, truth)) << where << ": " << *number << " for " << text_of(truth);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    EXPECT_TRUE(is_value(static_cast<double>(*whole), truth))
        << where << ": " << *whole << " for " << text_of(truth);
  } else {
    EXPECT_TRUE(std::holds_alternative<NoNumber>(truth))
        << where << " shows nothing for " << text_of(truth);
  }
}

void check(const TableCell& cell, const TrueCellValue& truth, const std::string& where) {
  EXPECT_TRUE(is_text(cell.text, truth)) << where << ": " << cell.text << " for " << text_of(truth);
  if (std::isfinite(cell.value)) {
    EXPECT_TRUE(is_value(cell.value, truth))
        << where << " is of " << cell.value << " for " << text_of(truth);
  }
}

template <class Rows>
void check_column(const Rows& rows, std::size_t column, const std::string& heading,
                  const TrueColumns& columns) {
  const auto known = columns.find(heading);
  if (known == columns.end()) {
    ADD_FAILURE() << "nobody recomputes the column " << heading;
    return;
  }
  for (std::size_t row = 0; row < rows.size(); ++row)
    check(rows[row][column], known->second(row), heading + ", " + std::to_string(row));
}

}  // namespace

void check_cells(const ResultTable& table, const TrueColumns& columns) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const std::string heading(table.columns[column].heading);
    // Without a heading people are not shown it.
    if (!heading.empty()) check_column(table.rows, column, heading, columns);
  }
}

void check_cells(const Table& table, const TrueColumns& columns) {
  for (std::size_t column = 0; column < table.headings.size(); ++column)
    check_column(table.rows, column, table.headings[column], columns);
}

}  // namespace dispersion

#include "core/io/history_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::uintmax_t kLargestFile = 64u << 20;

struct Column {
  std::string_view name;
  double& (*value)(HistoryRow&);
};

constexpr std::array<Column, 11> kColumns = {{
    {"delta", [](HistoryRow& row) -> double& { return row.spread.delta; }},
    {"bound", [](HistoryRow& row) -> double& { return row.spread.bound; }},
    {"largest_share", [](HistoryRow& row) -> double& { return row.spread.largest_share; }},
    {"sigma_query", [](HistoryRow& row) -> double& { return row.spread.sigma_query; }},
    {"sigma_key", [](HistoryRow& row) -> double& { return row.spread.sigma_key; }},
    {"query_norm", [](HistoryRow& row) -> double& { return row.spread.query_norm; }},
    {"item_norm", [](HistoryRow& row) -> double& { return row.spread.item_norm; }},
    {"kernel_norm", [](HistoryRow& row) -> double& { return row.spread.kernel_norm; }},
    {"cross_entropy", [](HistoryRow& row) -> double& { return row.cross_entropy; }},
    {"l2", [](HistoryRow& row) -> double& { return row.l2; }},
    {"accuracy", [](HistoryRow& row) -> double& { return row.accuracy; }},
}};

std::string header() {
  std::string text = "seed,step";
  for (const Column& column : kColumns) {
    text += ',';
    text += column.name;
  }
  return text;
}

// Reads the file line by line and number by number. Errors name the line.
class HistoryReader {
 public:
  HistoryReader(const std::string& name, std::string_view csv) : name_(name), rest_(csv) {}

  bool done() const { return rest_.empty(); }

  std::string_view next_line() {
    ++line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    // A spreadsheet writes columns that have been touched, though they are empty.
    while (line.ends_with(','))
      line.remove_suffix(1);
    return line;
  }

  // Removes the number up to the next comma from the line and returns it.
  template <class Number>
  Number take(std::string_view& line, std::string_view column) {
    const std::size_t end = std::min(line.find(','), line.size());
    const std::string_view text = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    Number value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || text.empty() ||
        !std::isfinite(static_cast<double>(value)) || static_cast<double>(value) < 0) {
      refuse("column '" + std::string(column) + "' is " + in_quotes(text) +
             "; expected a number of 0 or more");
    }
    return value;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw FileError(name_, "line " + std::to_string(line_) + ": " + what);
  }

 private:
  std::string name_;
  std::string_view rest_;
  int line_ = 0;
};

HistoryRow parse_row(HistoryReader& reader, std::string_view line) {
  HistoryRow row;
  row.seed = reader.take<std::uint32_t>(line, "seed");
  row.step = reader.take<std::int64_t>(line, "step");
  for (const Column& column : kColumns)
    column.value(row) = reader.take<double>(line, column.name);
  if (!line.empty()) reader.refuse("has more columns than the first line names");
  return row;
}

// Without the lines at the end that hold nothing but commas, which spreadsheets leave.
std::string_view without_empty_end(std::string_view csv) {
  const std::size_t last = csv.find_last_not_of(",\r\n");
  if (last == std::string_view::npos) return csv;
  const std::size_t end = csv.find('\n', last);
  return end == std::string_view::npos ? csv : csv.substr(0, end + 1);
}

}  // namespace

std::filesystem::path history_path(const std::filesystem::path& checkpoint) {
  return checkpoint.parent_path() / (checkpoint.stem().string() + ".history.csv");
}

std::string history_csv(const History& history) {
  std::string text = header();
  text += '\n';
  for (HistoryRow row : history) {
    text += std::to_string(row.seed);
    text += ',';
    text += std::to_string(row.step);
    for (const Column& column : kColumns) {
      text += ',';
      text += exact_text(column.value(row));
    }
    text += '\n';
  }
  return text;
}

History parse_history(const std::string& name, std::string_view csv) {
  csv = without_empty_end(without_byte_order_mark(csv));
  HistoryReader reader(name, csv);
  if (csv.empty()) throw FileError(name, "is empty; expected a training history");
  const std::string expected = header();
  if (const std::string_view line = reader.next_line(); line != expected) {
    reader.refuse("is " + in_quotes(line) + "; expected '" + expected + "'");
  }
  History history;
  while (!reader.done()) {
    const HistoryRow row = parse_row(reader, reader.next_line());
    if (!history.empty() && row.seed != history.back().seed) {
      reader.refuse("has seed " + std::to_string(row.seed) + "; expected " +
                    std::to_string(history.back().seed) + " as in the lines before");
    }
    if (!history.empty() && row.step <= history.back().step) {
      reader.refuse("has step " + std::to_string(row.step) + "; expected one after " +
                    std::to_string(history.back().step));
    }
    history.push_back(row);
  }
  return history;
}

History read_history(const std::filesystem::path& file) {
  return parse_history(file.string(), read_whole_file(file, kLargestFile));
}

History history_up_to(const std::filesystem::path& checkpoint, std::uint32_t seed,
                      std::int64_t step) {
  const std::filesystem::path file = history_path(checkpoint);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::symlink_status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (error) throw FileError(file, error.message());
  History history = read_history(file);
  if (!history.empty() && history.front().seed != seed) {
    throw FileError(file, "is the history of seed " + std::to_string(history.front().seed) +
                              "; expected that of seed " + std::to_string(seed) + ", the run in " +
                              checkpoint.filename().string());
  }
  std::erase_if(history, [step](const HistoryRow& row) { return row.step > step; });
  return history;
}

}  // namespace dispersion

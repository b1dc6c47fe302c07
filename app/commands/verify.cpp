#include "app/commands/commands.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "app/commands/output.h"
#include "app/commands/text.h"
#include "core/figure/number_text.h"
#include "core/io/file.h"
#include "core/io/text.h"
#include "core/verify/verify.h"

namespace dispersion {
namespace {

constexpr int kArithmeticWidth = 14;
constexpr int kNumberWidth = 9;
constexpr std::size_t kLongestQuantity = 200;
constexpr std::size_t kLongestPlace = 1000;

nlohmann::ordered_json number_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

std::string json_text(const VerifyReport& report) {
  nlohmann::ordered_json object;
  object["folder"] = report.folder.string();
  object["passed"] = report.passed();
  object["rows"] = nlohmann::ordered_json::array();
  for (const VerifyRow& row : report.rows) {
    object["rows"].push_back({{"file", row.file},
                              {"quantity", row.quantity},
                              {"arithmetic", arithmetic_name(row.arithmetic)},
                              {"error", number_or_null(row.error)},
                              {"tolerance", row.tolerance},
                              {"place", row.place},
                              {"passed", row.passed}});
  }
  object["not_checked"] = report.not_checked;
  return json_line(object, 2);
}

// An error is rounded up and a tolerance down, so that what is shown to be within is.
std::string shown(double value, std::string (*text)(double)) {
  if (value == 0) return "0";
  return std::isfinite(value) ? text(value) : "-";
}

std::string line(const std::string& mark, int width, const std::string& quantity,
                 std::string_view arithmetic, const std::string& error, const std::string& allowed,
                 const std::string& where) {
  return align_left(mark, 6) + align_left(quantity, width) + "  " +
         align_left(arithmetic, kArithmeticWidth) + align_right(error, kNumberWidth) +
         align_right(allowed, kNumberWidth) + "  " + where + "\n";
}

// The quantity is named in the folder.
std::string quantity_text(const VerifyRow& row) {
  return foreign_text(row.quantity, kLongestQuantity);
}

std::string row_text(const VerifyRow& row, int width) {
  return line(row.passed ? "ok" : "FAIL", width, quantity_text(row),
              arithmetic_name(row.arithmetic), shown(row.error, scientific_text_up),
              shown(row.tolerance, scientific_text_down), foreign_text(row.place, kLongestPlace));
}

std::string file_text(const VerifyReport& report, const std::string& file, int width) {
  std::string text = file + "\n";
  text += line("", width, "quantity", "arithmetic", "error", "allowed", "where");
  for (const VerifyRow& row : report.rows) {
    if (row.file == file) text += row_text(row, width);
  }
  return text + "\n";
}

// Repeats the failures at the end, where the user sees them without scrolling.
std::string failures_text(const VerifyReport& report, int width) {
  std::string text = "failed\n";
  for (const VerifyRow& row : report.rows) {
    if (!row.passed) text += row_text(row, width);
  }
  return text + "\n";
}

// The rows grouped by file, with the files in the order of their first rows.
std::string table_text(const VerifyReport& report) {
  std::vector<std::string> files;
  std::size_t width = 0;
  std::size_t failed = 0;
  for (const VerifyRow& row : report.rows) {
    if (std::find(files.begin(), files.end(), row.file) == files.end()) files.push_back(row.file);
    width = std::max(width, quantity_text(row).size());
    failed += row.passed ? 0 : 1;
  }
  std::string text;
  for (const std::string& file : files)
    text += file_text(report, file, static_cast<int>(width));
  if (!report.not_checked.empty()) {
    text += "not checked, because this version cannot make them again\n";
    for (const std::string& name : report.not_checked)
      text += "      " + foreign_text(name, kLongestQuantity) + "\n";
    text += "\n";
  }
  if (failed > 0) text += failures_text(report, static_cast<int>(width));
  return text + path_text(report.folder) + ": " + std::to_string(report.rows.size() - failed) +
         " of " + std::to_string(report.rows.size()) + " checks passed\n";
}

struct VerifyOptions {
  std::filesystem::path folder;
  bool json = false;
};

int run_verify(const VerifyOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(options.folder, error)) {
    throw FileError(options.folder, "is no folder; expected one with reference values");
  }
  const VerifyReport report = verify_folder(options.folder);
  print(options.json ? json_text(report) : table_text(report));
  return report.passed() ? 0 : 1;
}

}  // namespace

void add_verify_command(CommandLine& line) {
  auto options = std::make_shared<VerifyOptions>();
  Subcommand& command =
      line.add_subcommand("verify", "Recompute the reference values in a folder and compare them");
  command.footer(
      "Prints the largest error of every quantity and its tolerance; exit code 1 if one is "
      "larger.\n\n"
      "Example:\n"
      "  dispersion_lab verify tests/golden");
  command.add_path("FOLDER", "TEXT", options->folder, "Folder with reference values");
  command.require("FOLDER");
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.on_run([options] { return run_verify(*options); });
}

}  // namespace dispersion

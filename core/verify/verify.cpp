#include "core/verify/verify.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/verify/sections.h"

namespace dispersion {
namespace {

// Whether the row failed and the other did not, or its error is larger relative to its tolerance.
bool is_worse(const VerifyRow& row, const VerifyRow& than) {
  if (row.passed != than.passed) return !row.passed;
  return row.error * than.tolerance > than.error * row.tolerance;
}

// Keeps one row of every group of quantities (group_name()): the worst one.
std::vector<VerifyRow> merge_rows(const std::vector<VerifyRow>& rows) {
  std::vector<VerifyRow> merged;
  std::map<std::tuple<std::string, std::string, Arithmetic>, std::size_t> positions;
  for (VerifyRow row : rows) {
    const std::string name = group_name(row.quantity);
    if (name != row.quantity) row.place = row.quantity + (row.place.empty() ? "" : " ") + row.place;
    row.quantity = name;
    const auto [position, is_new] =
        positions.try_emplace({row.file, name, row.arithmetic}, merged.size());
    if (is_new) {
      merged.push_back(std::move(row));
    } else if (is_worse(row, merged[position->second])) {
      merged[position->second] = std::move(row);
    }
  }
  return merged;
}

}  // namespace

std::string_view arithmetic_name(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kFloat32:
      return "float32";
    case Arithmetic::kFloat64:
      return "float64";
    case Arithmetic::kStored:
      return "stored float32";
    case Arithmetic::kExact:
      return "exact";
  }
  return "";
}

bool VerifyReport::passed() const {
  return !rows.empty() &&
         std::all_of(rows.begin(), rows.end(), [](const VerifyRow& row) { return row.passed; });
}

VerifyReport verify_folder(const std::filesystem::path& path) {
  VerifyReport report;
  report.folder = path;
  GoldenFolder folder(path);
  verify_meta(folder, report);
  verify_forward_backward(folder, report);
  verify_adam(folder, report);
  verify_trained(folder, report);
  verify_adaptive_backward(folder, report);
  verify_softmax_cases(folder, report);
  verify_streaming(folder, report);
  verify_polynomial(folder, report);
  verify_statistics(folder, report);
  verify_power_series(folder, report);
  verify_bounds(folder, report);
  report.rows = merge_rows(report.rows);
  report.not_checked = folder.unread();
  return report;
}

}  // namespace dispersion

#include "app/commands/study_results.h"

#include <cmath>
#include <system_error>

#include "app/commands/study_arms.h"
#include "core/io/atomic_file.h"
#include "core/io/error.h"

namespace dispersion {
namespace {

constexpr std::uintmax_t kLargestResult = 4 << 20;

}  // namespace

std::vector<Json> read_study_results(const std::filesystem::path& folder) {
  std::vector<Json> results;
  for (const StudyArm& arm : study_arms()) {
    const std::filesystem::path file = folder / (arm.name + ".json");
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    try {
      Json result = Json::parse(read_whole_file(file, kLargestResult));
      result.at("rows");
      result.at("heads").at(0);
      results.push_back(std::move(result));
    } catch (const Json::exception& error) {
      throw FileError(file, std::string("is no table of a study: ") + error.what());
    }
  }
  return results;
}

const Json* find_arm(const std::vector<Json>& results, std::string_view arm) {
  for (const Json& result : results) {
    if (result.at("arm") == arm) return &result;
  }
  return nullptr;
}

std::optional<Json> find_row(const Json& result, int items, std::string_view map) {
  for (const Json& row : result.at("rows")) {
    if (row.at("n") == items && row.at("map") == map) return row;
  }
  return std::nullopt;
}

Verdict verdict(const Json& result) {
  Verdict count;
  for (const Json& row : result.at("rows")) {
    if (row.at("paper_inside").is_null()) continue;
    ++count.cells;
    count.inside += row.at("paper_inside").get<bool>() ? 1 : 0;
    const double paper = row.at("paper_mean").get<double>();
    count.below += paper < row.at("low").get<double>() ? 1 : 0;
    count.distance += std::abs(row.at("mean").get<double>() - paper);
  }
  if (count.cells > 0) count.distance /= count.cells;
  return count;
}

}  // namespace dispersion

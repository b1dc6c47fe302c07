#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "app/commands/provenance.h"

namespace dispersion {

// The tables stored by `study`, in the order of the arms; those that are not there are left out.
// Throws FileError for a file that is no such table.
std::vector<Json> read_study_results(const std::filesystem::path& folder);

// Null where there is none.
const Json* find_arm(const std::vector<Json>& results, std::string_view arm);
std::optional<Json> find_row(const Json& result, int items, std::string_view map);

// Where the paper's means lie beside our intervals, over both of its rows.
struct Verdict {
  int cells = 0;
  int inside = 0;
  int below = 0;
  double distance = 0;  // mean of |our mean - the paper's|
  int above() const { return cells - inside - below; }
};

Verdict verdict(const Json& result);

}  // namespace dispersion

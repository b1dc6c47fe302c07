#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/commands/provenance.h"

namespace dispersion {

// The tables stored by `study`, in the order of the arms; those that are not there are left out.
// Throws FileError for a file that is no such table.
std::vector<Json> read_study_results(const std::filesystem::path& folder);

// docs/table1.md: every number in it comes from the stored tables, from the paper's Table 1 or from
// the closed form of a perfect argmax. Markdown.
std::string study_report(const std::vector<Json>& results);

}  // namespace dispersion

#pragma once

#include <string>
#include <vector>

#include "app/commands/provenance.h"

namespace dispersion {

// docs/table1.md: every number in it comes from the stored tables, from the paper's Table 1 or from
// the closed form of a perfect argmax. Markdown.
std::string study_report(const std::vector<Json>& results);

}  // namespace dispersion

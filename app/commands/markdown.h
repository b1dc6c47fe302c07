#pragma once

#include <string>
#include <vector>

#include "app/commands/provenance.h"

namespace dispersion {

// A row of a Markdown table.
std::string markdown_row(const std::vector<std::string>& cells);
// The names of its columns: the first to the left, numbers to the right.
std::string markdown_heading(const std::vector<std::string>& names);

// With one decimal.
std::string percent(double fraction);
// Three digits that count; very small ones as a bound, because their exact size says nothing. Null
// becomes "-".
std::string p_text(const Json& p);

}  // namespace dispersion

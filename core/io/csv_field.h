#pragma once

#include <string>

namespace dispersion {

// A text as a field of CSV (RFC 4180): in quotes where it holds a comma, a quote or a line break.
std::string csv_field(const std::string& text);

}  // namespace dispersion

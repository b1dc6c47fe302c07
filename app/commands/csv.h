#pragma once

#include <span>
#include <string>

#include "app/commands/provenance.h"

namespace dispersion {

// Flat JSON objects with the same keys as CSV: a line of names, then a line per object. Text with a
// comma, a quote or a line break is quoted; null is an empty field.
std::string csv_text(std::span<const Json> rows);

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <string_view>

#include "core/figure/figure.h"

namespace dispersion {

// Where an exported figure came from, read back out of the bytes of its file: PNG, SVG, PDF, CSV,
// JSON, LaTeX or Markdown, told apart by what is in them. `file` is its name in errors. A cut file
// gives all of its provenance or an error. Throws FileError that says what was expected.
Provenance stored_provenance(const std::filesystem::path& file, std::string_view bytes);

// The value of that name; empty when there is none.
std::string_view provenance_value(const Provenance& provenance, std::string_view name);

}  // namespace dispersion

#pragma once

#include <filesystem>

#include "core/verify/report.h"

namespace dispersion {

// Recomputes every quantity of a folder of golden data (tests/golden/README.md describes the
// format) in float32, as the program runs, and in float64, and compares. Nothing thrown: a folder
// that cannot be read is a report that failed.
VerifyReport verify_folder(const std::filesystem::path& folder);

}  // namespace dispersion

#pragma once

#include <filesystem>

namespace dispersion {

// `dispersion_lab verify FOLDER [--json]`: recomputes a folder of golden data and prints, per
// quantity, the worst error against its tolerance. 0 when everything agrees, 1 otherwise. Throws
// FileError when `folder` is no folder.
int run_verify(const std::filesystem::path& folder, bool json);

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <string>

#include "core/io/checkpoint.h"

namespace dispersion {

// A head and where it came from, in words.
struct HeadSource {
  Checkpoint checkpoint;
  std::string name;  // the file, or "shipped"
};

// The head in `file`, or the one inside the program when `file` is empty. Throws FileError.
HeadSource load_head(const std::filesystem::path& file);

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace dispersion {

// A head and where it came from, in words.
struct HeadSource {
  Checkpoint checkpoint;
  std::string name;  // the file, or "shipped"
};

// The head in `file`, or the one inside the program when `file` is empty. Throws FileError.
HeadSource load_head(const std::filesystem::path& file);

// Every head inside the program, in the order of their seeds; the first is that of load_head({}).
std::vector<HeadSource> shipped_heads();

// Their run hashes, in the same order.
std::vector<std::string> shipped_run_hashes();

// The head inside the program that was trained from this seed. Throws std::invalid_argument that
// says which there are.
HeadSource shipped_head(std::uint32_t seed);

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dispersion::monkey {

// A folder of the monkey's own, which it may fill and break. It stands in for the user's home, and
// no program can be found from it, so that nothing outside is touched.
struct Playground {
  std::filesystem::path home;
  std::vector<std::filesystem::path> files;  // heads that can be opened, and what is none
};

// Makes the folder, moves the process into it and points the environment there.
Playground make_playground(const std::filesystem::path& folder);

// What nobody should type.
std::vector<std::string> garbage(const Playground& playground);

}  // namespace dispersion::monkey

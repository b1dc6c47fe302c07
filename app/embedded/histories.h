#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// The training histories of the shipped heads, assets/heads/seed*.history.csv, inside the program.
struct EmbeddedHistory {
  std::string name;  // of the file
  std::string_view csv;
};
std::vector<EmbeddedHistory> embedded_histories();

}  // namespace dispersion

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Files that are part of the program, so that it works wherever it is copied to. The build takes
// them from the paths in app/embedded/CMakeLists.txt.
enum class EmbeddedFile {
  kRobotoRegular,       // Roboto, Apache-2.0: text
  kRobotoMedium,        // the same, for titles
  kDejaVuSans,          // DejaVu Sans, free: Greek, mathematics and arrows that Roboto lacks
  kDejaVuSerif,         // DejaVu Serif, the same for Latin Modern
  kLatinModernRegular,  // Latin Modern Roman, GUST Font License: the letters of LaTeX
  kLatinModernBold,     // the same, for titles
  kLatinModernMath,     // the same: Greek and mathematics
};

// The bytes of the file. They live as long as the program.
std::string_view embedded_bytes(EmbeddedFile file);

// The trained heads, safetensors, weights only, in the order of their seeds; at least one.
std::vector<std::string_view> embedded_heads();

// Table 1 of the shipped heads as it was computed before, assets/table.json, inside the program
// (core/io/stored_table.h).
std::string_view embedded_table();

// What rounding does to each of them, assets/precision.jsonl, the same
// (core/io/stored_precision.h).
std::string_view embedded_precision();

// The training histories of the shipped heads, assets/heads/seed*.history.csv, inside the program.
struct EmbeddedHistory {
  std::string name;  // of the file
  std::string_view csv;
};
std::vector<EmbeddedHistory> embedded_histories();

}  // namespace dispersion

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Files that are built into the program, so that it works wherever it is copied to. Their paths are
// in app/embedded/CMakeLists.txt.
enum class EmbeddedFile {
  kRobotoRegular,       // Roboto (Apache-2.0), for text
  kRobotoMedium,        // Roboto, for titles
  kDejaVuSans,          // DejaVu Sans (free), for characters that Roboto lacks
  kDejaVuSerif,         // DejaVu Serif (free), for characters that Latin Modern lacks
  kLatinModernRegular,  // Latin Modern Roman (GUST Font License), the font of LaTeX, for text
  kLatinModernBold,     // Latin Modern Roman, for titles
  kLatinModernMath,     // Latin Modern Math, for Greek letters and mathematics
};

// The bytes of the file, which live as long as the program.
std::string_view embedded_bytes(EmbeddedFile file);

// The trained heads in the order of their seeds, at least one. Each is a safetensors file with only
// the weights.
std::vector<std::string_view> embedded_heads();

// Table 1 as it was computed earlier from these heads: the file assets/table.json, which
// core/io/stored_table.h reads.
std::string_view embedded_table();

// The effect of rounding on these heads, also computed earlier: the file assets/precision.jsonl,
// which core/io/stored_precision.h reads.
std::string_view embedded_precision();

struct EmbeddedText {
  std::string name;  // of the file
  std::string_view text;
};

// The training histories of these heads: the files assets/heads/seed*.history.csv.
std::vector<EmbeddedText> embedded_histories();

// The lessons, in the order of their names: the files assets/lessons/*.lesson.
std::vector<EmbeddedText> embedded_lessons();

}  // namespace dispersion

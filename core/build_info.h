#pragma once

#include <string_view>

namespace dispersion {

// What this program was built from and how; part of the provenance of every file.
struct BuildInfo {
  std::string_view version;          // e.g. "0.1.0"
  std::string_view commit;           // e.g. "1a2b3c4d5e6f", with "-modified", or "unknown"
  std::string_view instruction_set;  // "AVX2" or "AVX-512"
  std::string_view compiler;         // e.g. "GNU 12.2.0"
  std::string_view build_type;       // e.g. "Release"
  std::string_view sanitizers;       // e.g. "address,undefined", empty for none
  // Why there is no CUDA code in it, in a sentence or two; empty when there is.
  std::string_view cuda_absence;
};

BuildInfo build_info();

}  // namespace dispersion

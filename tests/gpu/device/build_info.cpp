#include "core/build_info.h"

namespace dispersion {

// The check is of the device, not of a program that somebody keeps.
BuildInfo build_info() {
  return {"gpu-check", "unknown", "AVX2", "unknown", "Release", ""};
}

}  // namespace dispersion

#pragma once

#include <string>

#include "app/session/messages.h"

namespace dispersion {

// How the head of the open run is computed, in a few words: "spectral, 24 + 12 points, error <
// 10⁻⁷", "direct", "direct, bf16", or why it is not the path that the recipe asks for.
std::string computation_text(const RunStatus& status);

}  // namespace dispersion

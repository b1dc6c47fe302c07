#pragma once

#include "gpu/runtime/stream.h"

namespace dispersion {

// A kernel that does nothing, with one block.
void launch_nothing(Stream& stream);

}  // namespace dispersion

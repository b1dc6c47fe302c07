#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 1 of a step: the item network at its rows, and the query network at its.
void launch_networks(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 4: back through the item network.
void launch_item_backward(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

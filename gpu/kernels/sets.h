#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 3: attention, readout and loss of every set, and the way back to the items' logits.
void launch_sets(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

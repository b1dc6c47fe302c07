#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 7: L2, Adam and the transposed copies.
void launch_update(Stream& stream, const GroupMemory& group);

// Fills the transposed copies from the parameters, when a group is loaded.
void launch_transpose(Stream& stream, const GroupMemory& group);

// Phase 8: the step's report, and on to the next.
void launch_finish(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

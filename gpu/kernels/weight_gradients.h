#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 6: gradients of all tensors.
void launch_weight_gradients(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

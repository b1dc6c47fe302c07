#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 5: back through K, Q and the query network.
void launch_query_backward(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

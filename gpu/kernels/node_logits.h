#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 2, spectral path: logits at the nodes for every query node.
void launch_node_logits(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Phase 1 of a step: the item network at its rows, and the query network at its.
void launch_networks(Stream& stream, const GroupMemory& group);

// Phase 2: the batch is drawn; on the spectral path, Lagrange's polynomials at its items and
// queries, and logits at the nodes for every query node.
void launch_node_logits(Stream& stream, const GroupMemory& group);

// Phase 3: attention, readout and loss of every set, and the way back to the items' logits.
void launch_sets(Stream& stream, const GroupMemory& group);

// Phase 4, spectral path: what all sets together give the nodes.
void launch_node_gradients(Stream& stream, const GroupMemory& group);

// Phase 5: back through the item network, and through K, Q and the query network.
void launch_networks_backward(Stream& stream, const GroupMemory& group);

// Phase 6: gradients of all tensors.
void launch_weight_gradients(Stream& stream, const GroupMemory& group);

// Phase 7: L2, Adam, the transposed copies, the step's report, and on to the next.
void launch_update(Stream& stream, const GroupMemory& group);

// Fills the transposed copies from the parameters, when a group is loaded.
void launch_transpose(Stream& stream, const GroupMemory& group);

}  // namespace dispersion

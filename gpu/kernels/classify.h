#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Last pass of an evaluation: the readout of every pooled embedding, and the results of every set.
void launch_classify(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

}  // namespace dispersion

#pragma once

#include <span>

#include "core/experiment/streaming.h"
#include "core/figure/figure.h"

namespace dispersion {

// How far each way to stream the entropy is from the exact one, against n. An error of 0 has no
// place on the logarithmic axis and is left out.
Figure streaming_figure(std::span<const StreamingRow> rows);

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <span>

#include "core/backend.h"
#include "core/figure/figure.h"

namespace dispersion {

// Loss (cross-entropy and the L2 term) and accuracy of every batch of one run, in order of steps.
// Steps that are not finite are left out and counted. `records` may be empty.
Figure run_figure(std::span<const StepRecord> records, std::uint32_t seed);

}  // namespace dispersion

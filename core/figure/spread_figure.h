#pragma once

#include <vector>

#include "core/experiment/training_history.h"
#include "core/figure/figure.h"

namespace dispersion {

// Figure 9: delta and the bound on it over training, means over seeds with the range of the seeds.
// Steps from 1 on, because the axis is logarithmic. `histories` may be empty.
Figure spread_figure(const std::vector<History>& histories);

}  // namespace dispersion

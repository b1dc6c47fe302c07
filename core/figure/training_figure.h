#pragma once

#include <vector>

#include "core/experiment/training_history.h"
#include "core/figure/figure.h"

namespace dispersion {

// Loss and accuracy over training, on the sets of the history: means over seeds with the range of
// the seeds. Steps from 1 on, because the axis is logarithmic. `histories` may be empty.
Figure training_figure(const std::vector<History>& histories);

}  // namespace dispersion

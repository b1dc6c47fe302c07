#pragma once

#include "core/experiment/temperature_fit.h"
#include "core/figure/figure.h"

namespace dispersion {

// Figure 6 of a head, at any stage of its run: 1/theta_opt against entropy, this head's polynomial,
// the paper's, and the range of entropy in which the paper's rule sharpens; below it a histogram of
// the entropies of the rows fitted. A sentence says what is seen, or why there is no fit. Without
// provenance.
Figure fit_figure(const FitRun& run);

}  // namespace dispersion

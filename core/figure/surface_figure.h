#pragma once

#include <vector>

#include "core/experiment/entropy_surface.h"
#include "core/figure/figure.h"

namespace dispersion {

// Figure 5: entropy over lambda and theta, a field per region, all with the colours 0 ..
// log(terms).
Figure power_series_figure(const std::vector<PowerSeriesSurface>& regions, PowerSeries series);

// Entropy of a head over n and theta, mean over sets.
Figure head_surface_figure(const HeadSurface& surface);

}  // namespace dispersion

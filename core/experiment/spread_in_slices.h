#pragma once

#include <optional>

#include "core/experiment/spread.h"
#include "core/progress.h"

namespace dispersion {

// measure_spread() of a few thousand items at a time, so that it takes little memory; nothing after
// a stop.
std::optional<Spread> measure_spread(const Parameters<float>& head, const ItemSetsView& sets,
                                     SpreadTerms terms, const Progress& progress);

}  // namespace dispersion

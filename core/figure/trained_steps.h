#pragma once

#include <cstdint>
#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// How far a head is trained, in the provenance of figures. Steps are counted from the first weights
// of the head on, as in the window, also where it was trained on with fresh moments of Adam.

// The step at which those began; only where they did.
inline constexpr const char* kFreshMoments = "fresh moments at step";

// Adds "seed", "step", which is counted so, and that step. `steps_before`: as in ExperimentHead.
void add_trained_steps(Provenance& all, std::uint32_t seed, const std::string& step,
                       std::int64_t steps_before);

}  // namespace dispersion

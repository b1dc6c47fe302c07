#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/dispersion.h"

namespace dispersion {

// The seed of the sets that figures of one head are made from.
inline constexpr std::uint32_t kFigureSetSeed = 1;

// Figures 2 and 7 of a head in its present state: a frame per size (doubling_sizes()) under every
// transform.
std::vector<TransformFrames> dispersion_frames(Backend& backend,
                                               const Parameters<float>& parameters,
                                               std::span<const int> sizes,
                                               std::span<const AttentionTransform> transforms);

}  // namespace dispersion

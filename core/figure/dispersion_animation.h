#pragma once

#include <span>
#include <vector>

#include "core/experiment/dispersion.h"
#include "core/figure/figure.h"

namespace dispersion {

// The doubling of n, figure after figure, to be shown one after the other: the heat maps of one
// size, and the weight on the maximum against n as far as it has come. The places of all things
// are the same in every one. One figure per size; all transforms have the same sizes, ascending.
// Without provenance. Throws std::invalid_argument for other sizes.
std::vector<Figure> dispersion_animation(std::span<const TransformFrames> transforms,
                                         ColourScale scale);

}  // namespace dispersion

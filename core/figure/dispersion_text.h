#pragma once

#include <cstddef>
#include <span>

#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/statement.h"

namespace dispersion {

// What the figures of dispersion_figure.cpp say. Frames that are not computed yet are passed over.

// The mean weight on the maximum in the sets of a frame.
Statement mean_weight(const AttentionFrame& frame);

// A title that holds of what is shown, softmax first; where nothing can be said, a neutral one.
Statement dispersion_title(std::span<const TransformFrames> transforms);
// That weight at the smallest and at the largest n, for each of the transforms; empty until softmax
// is computed.
Statement dispersion_sentence(std::span<const TransformFrames> transforms);

// That weight at one of the sizes.
Statement animation_sentence(std::span<const TransformFrames> transforms, std::size_t index);

// What is so of every transform's entropy and accuracy.
Statement size_title(std::span<const SizeRow> rows);

}  // namespace dispersion

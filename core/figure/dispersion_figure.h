#pragma once

#include <span>

#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/figure.h"

namespace dispersion {

// Figures 2 and 7: a strip for every transform, one frame per size.
HeatmapGrid dispersion_grid(std::span<const TransformFrames> transforms, ColourScale scale);

// Accuracy (percent, with Wilson intervals) against n, one curve per transform.
LinePlot accuracy_plot(std::span<const SizeRow> rows);
// Mean entropy of the weights (nats) against n.
LinePlot entropy_plot(std::span<const SizeRow> rows);

// The grid with its title and, in the sentence, the weight on the maximum at the smallest and at
// the largest n there is. Plain softmax comes first; alone it is figure 2, with adaptive
// temperature figure 7.
Figure dispersion_figure(std::span<const TransformFrames> transforms, ColourScale scale);
// Entropy and accuracy against n. `transforms`: how the rows were counted; below the titles stands
// what they have that the paper's have not, a temperature or a rule.
Figure size_figure(std::span<const SizeRow> rows, std::span<const AttentionTransform> transforms);

}  // namespace dispersion

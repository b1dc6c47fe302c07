#pragma once

#include <span>

#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/figure.h"

namespace dispersion {

// Figures 2 and 7: above softmax, below adaptive, one frame per size.
HeatmapGrid dispersion_grid(std::span<const AttentionFrame> plain,
                            std::span<const AttentionFrame> adaptive, ColourScale scale);

// Accuracy (percent, with Wilson intervals) against n, one curve per map.
LinePlot accuracy_plot(std::span<const SizeRow> rows);
// Mean entropy of the weights (nats) against n.
LinePlot entropy_plot(std::span<const SizeRow> rows);

// The grid with its title and, in the sentence, the weight on the maximum at the smallest and at
// the largest n there is. `adaptive` may be empty: figure 2.
Figure dispersion_figure(std::span<const AttentionFrame> plain,
                         std::span<const AttentionFrame> adaptive, ColourScale scale);
// Entropy and accuracy against n. `maps`: how the rows were counted; below the titles stands what
// they have that the paper's have not, a temperature or a rule.
Figure size_figure(std::span<const SizeRow> rows, std::span<const AttentionMap> maps);

}  // namespace dispersion

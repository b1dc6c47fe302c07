#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/experiment/attention_length.h"
#include "core/figure/figure.h"

namespace dispersion {

// What adaptive attention over sequences takes along n: time, memory beside what the n x n weights
// would need, and entropy beside log n, the most there can be. where: "CPU, 2 threads". Rows that
// were not timed (0 s) give no plot of time, and none of it in the sentence.
std::vector<LinePlot> attention_length_plots(std::span<const AttentionLength> rows,
                                             const std::string& where);

// The longest sequence in a sentence; empty without rows.
std::string attention_length_sentence(std::span<const AttentionLength> rows);

}  // namespace dispersion

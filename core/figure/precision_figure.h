#pragma once

#include <span>

#include "core/experiment/precision_comparison.h"
#include "core/figure/figure.h"

namespace dispersion {

// Accuracy, the share of sets whose largest logit sits on the maximum, and entropy against n in
// every precision, beside the paper's row of Table 1 and a perfect argmax on rounded priorities.
// `rows` as compare_precisions gives them, all or the first of them.
Figure precision_figure(std::span<const PrecisionRow> rows);

}  // namespace dispersion

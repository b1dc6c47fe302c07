#pragma once

#include "core/experiment/table_summary.h"
#include "core/figure/figure.h"

namespace dispersion {

// Table 1 at any stage of its run: a table with one column per size, first our rows with the
// paper's beneath, then tests, entropies and whether the paper lies in our interval; accuracy
// against n with 95 % intervals and the paper's values dashed; and a sentence. Without provenance.
Figure table_figure(const TableOne& table);

}  // namespace dispersion

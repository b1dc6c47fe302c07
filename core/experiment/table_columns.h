#pragma once

#include "core/experiment/result_table.h"
#include "core/experiment/table_summary.h"

namespace dispersion {

// Table 1 as the command prints it, for the cells of these transforms: a row for every size and
// transform, "rows" in JSON; and what every transform gains over softmax, with the paper's gain
// beside it and the tests, "gains" in JSON.
ResultTable accuracy_rows(const TableOne& table, std::span<const AttentionTransform> transforms);
ResultTable gain_rows(const TableOne& table, std::span<const AttentionTransform> transforms);

}  // namespace dispersion

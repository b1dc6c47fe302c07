#pragma once

#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/experiment/table_summary.h"
#include "core/figure/figure.h"

namespace dispersion {

// What the curves and the rows of Table 1 have in common.

// Those that the table has, each once, in the order of transform_definitions().
std::vector<AttentionTransform> transforms_of(const TableOne& table);

// "adaptive θ, paper": what the paper printed under this transform.
std::string paper_name(const TransformDefinition& definition);

// One beside softmax, adaptive temperature and hard attention, which the table speaks of by name.
bool is_further(const AttentionTransform& transform);

// 0.5384 -> "53.8"
std::string share_text(double share);

// Ascending.
std::vector<int> sizes_of(const TableOne& table);

// "10 seeds, 4 096 sets of every size each"
std::string sets_text(const TableOne& table);

// The rows; `main_rows` of them are accuracies.
Table rows_table(const TableOne& table);

}  // namespace dispersion

#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/experiment/table_summary.h"
#include "core/figure/figure.h"

namespace dispersion {

// What the curves and the rows of Table 1 have in common.

struct MapCurve {
  MapKind map;
  const char* name;
  const char* paper_name;  // null: the paper has none
  ColourRole role;
};
inline constexpr std::array<MapCurve, 3> kMapCurves = {
    {{MapKind::kSoftmax, "softmax", "softmax, paper", ColourRole::kBaseline},
     {MapKind::kAdaptive, "adaptive θ", "adaptive θ, paper", ColourRole::kAdaptive},
     {MapKind::kHard, "hard, θ → 0", nullptr, ColourRole::kNeutral}}};

// 0.5384 -> "53.8"
std::string share_text(double share);

// Ascending.
std::vector<int> sizes_of(const TableOne& table);

// "10 seeds, 4 096 sets of every size each"
std::string sets_text(const TableOne& table);

// The rows; `main_rows` of them are accuracies.
Table rows_table(const TableOne& table);

}  // namespace dispersion

#pragma once

#include <span>
#include <vector>

#include "core/experiment/size_pairs.h"
#include "core/experiment/size_table.h"
#include "core/figure/compared_values.h"
#include "core/figure/figure.h"

namespace dispersion {

// What is said of the states A and B at one size (difference.h).

// One transform at one size in both. Null: not measured yet, or the state does not show it.
struct ComparedRows {
  TransformId id = TransformId::kSoftmax;
  const SizeRow* a = nullptr;
  const SizeRow* b = nullptr;
  const SizePair* pair = nullptr;  // of the sets that both have classified
};

// Whether the numbers of both are of the same sets, so that their difference is one of the states:
// of every size the first sets of one sequence are classified, in each state as many as there was
// time for.
bool of_same_sets(const ComparedRows& rows);

// Accuracy in percent, weight on the maximum and entropy; dashes for what is not known, and no
// difference of numbers of other sets. The accuracies on the sets that have been compared set by
// set stand in a row of their own where those of all sets are of other ones.
std::vector<ComparedValue> compared_size_values(const ComparedRows& rows);

// The 95 % interval of the difference of the accuracies and the sets that it is of: "+3.0 to +7.2
// points, 2 048 same sets"; empty while there is none.
Statement interval_text(const ComparedRows& rows);
// The same where the difference stands beside it or, if the accuracies are of other sets than
// these, with it: "+5.1 (+3.0 to +7.2) points, 32 same sets".
Statement paired_text(const ComparedRows& rows);

// "A is of 2 048 sets, B of 64"; empty where both are of the same, or one has none.
Statement other_sets_text(const ComparedRows& rows);

// All rows of B that A has too, in their order.
std::vector<ComparedRows> compared_rows(std::span<const SizeRow> a, std::span<const SizeRow> b,
                                        std::span<const SizePair> pairs);

// Those rows as a table.
Table size_comparison_table(std::span<const ComparedRows> rows);

// The difference of the accuracies against n, with those intervals.
LinePlot accuracy_difference_plot(std::span<const ComparedRows> rows);

// The differences that may stand beside the numbers of both, curves named by the transforms: those
// of the accuracies with their intervals, and of the entropies.
LinePlot accuracy_differences(std::span<const ComparedRows> rows);
LinePlot entropy_differences(std::span<const ComparedRows> rows);

}  // namespace dispersion

#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/attention/attention_transform.h"
#include "core/experiment/size_table.h"
#include "core/figure/named_value.h"

namespace dispersion {

// What is said of a head at one size: in the window under "At n", and by the command evaluate.

// Accuracy with its 95 % Wilson interval, weight on the maximum, entropy, and the temperature where
// the transform chooses it. `row`: with sets, of this transform; null: nothing is measured yet, and
// dashes stand for the values.
std::vector<NamedValue> size_values(TransformId id, const SizeRow* row);

// Of how many sets those values are, beside those of the heat maps: "Of 2 048 sets; the heat maps
// show 32 sets of their own."; empty for null.
Statement counted_sets_text(const SizeRow* row);

// How much more often a transform is right than plain softmax, on the same sets. Null: as above.
NamedValue accuracy_difference(std::string label, TransformId id, const SizeRow* row,
                               const SizeRow* plain);

// The cells of a line of `evaluate`, from the number of items to the spread of the logits.
std::vector<Statement> evaluation_cells(const SizeRow& row);

// Says how often several items share the largest priority, which limits accuracy in very large
// sets: a line for every such size; empty where all sizes are smaller.
Statement tied_sets_text(std::span<const SizeRow> rows);

}  // namespace dispersion

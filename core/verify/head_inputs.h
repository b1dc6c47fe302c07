#pragma once

#include <string>

#include "core/head/parameters.h"
#include "core/head/recipe.h"
#include "core/task/item_sets.h"
#include "core/verify/section.h"

namespace dispersion {

// The 20 tensors PREFIX + NAME; the sizes of the head are those of the tensors. Throws FileError.
Parameters<float> read_parameters(GoldenFile& file, const std::string& prefix);

// PREFIX + rho, class, q and label, with classes and labels checked to be below `classes`. Throws
// FileError.
ItemSets read_item_sets(GoldenFile& file, const std::string& prefix, int classes);

// Checks that every label is the class of the first largest priority.
void check_labels(Section& section, const std::string& prefix, const ItemSets& sets);

// Learning rate and Adam's numbers from cases.json: adam, lambda from meta; L2 over every
// parameter, as the folder's README says. Throws FileError.
Recipe read_recipe(GoldenFolder& folder);

// The tensor's shape as the folder stores it: [in, out] or [out].
std::vector<std::int64_t> stored_shape(const TensorSlot& slot);

}  // namespace dispersion

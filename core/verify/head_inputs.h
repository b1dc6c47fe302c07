#pragma once

#include <string>

#include "core/head/parameters.h"
#include "core/head/recipe.h"
#include "core/task/item_sets.h"
#include "core/verify/sections.h"

namespace dispersion {

// Reads the 20 tensors PREFIX + NAME of a head, whose width and classes are those of the tensors.
// Throws FileError.
Parameters<float> read_parameters(GoldenFile& file, const std::string& prefix);

// Reads the tensors rho, class, q and label after PREFIX, and checks that classes and labels are
// below `classes`. Throws FileError.
ItemSets read_item_sets(GoldenFile& file, const std::string& prefix, int classes);

// Checks that every label is the class of the first item with the largest priority.
void check_labels(Section& section, const std::string& prefix, const ItemSets& sets);

// Reads the learning rate and Adam's settings (adam) and the L2 factor (meta.lambda) from
// cases.json. The L2 term covers every parameter, as the README says. Throws FileError.
Recipe read_recipe(GoldenFolder& folder);

// The shape of a parameter's tensor in the folder: [in, out] or [out].
std::vector<std::int64_t> stored_shape(const TensorSlot& slot);

}  // namespace dispersion

#pragma once

#include <string>

#include "core/task/item_sets.h"
#include "core/verify/section.h"

namespace dispersion {

// The folder's statistics of its own float32 logits (f32.PREFIXentropy and so on) are float64
// arithmetic, rounded for storing: where those logits are kept, they can be made again exactly.
void check_stored_statistics(Section& section, const std::string& prefix, const ItemSets& sets);

}  // namespace dispersion

#pragma once

#include "app/export/picture.h"

namespace dispersion {

// Throws std::invalid_argument unless every number is finite and above 0.
void require_size(const SheetSize& size);

}  // namespace dispersion

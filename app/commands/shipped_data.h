#pragma once

#include "app/session/shipped_data.h"

namespace dispersion {

// The heads, the histories of their training and stored results inside the program. The table only
// if it is of these heads.
ShippedData shipped_data();

}  // namespace dispersion

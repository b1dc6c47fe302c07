#pragma once

#include <span>

#include "tests/monkey/act.h"

namespace dispersion::monkey {

// The acts of each subject.
std::span<const ActKind> pointer_acts();
std::span<const ActKind> key_acts();
std::span<const ActKind> text_acts();
std::span<const ActKind> action_acts();
std::span<const ActKind> desk_acts();
std::span<const ActKind> window_acts();
std::span<const ActKind> file_acts();
std::span<const ActKind> device_acts();

}  // namespace dispersion::monkey

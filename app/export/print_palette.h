#pragma once

#include "app/palette/palette.h"

namespace dispersion {

// For paper: black text, lines that a printer does not lose, and a dark and a bright colour, so
// that baseline and adaptive stay apart without colour too.
inline constexpr Palette kPrintPalette = {
    rgb(0xFFFFFF), rgb(0xFFFFFF), rgb(0xE9EBEA), rgb(0xA9B0B5), rgb(0x000000),
    rgb(0x595959), rgb(0x08508C), rgb(0xDD7730), rgb(0x1E8A61), rgb(0x7032CC),
    rgb(0x07914C), rgb(0x7A5A10), rgb(0x1E0078)};

}  // namespace dispersion

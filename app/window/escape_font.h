#pragma once

struct ImFontLoader;

namespace dispersion {

// Draws every character as its escape (\u4e2d), as figures do. As the last source of a font it
// stands in for the characters that the others lack, so that no text in the window shows boxes,
// wherever it comes from. Needs no font data.
const ImFontLoader* escape_font_loader();

}  // namespace dispersion

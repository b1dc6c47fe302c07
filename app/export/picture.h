#pragma once

#include <string>

#include "app/export/figure_painter.h"
#include "app/export/sheet.h"
#include "core/figure/figure.h"

namespace dispersion {

// A figure as the bytes of a file: the same for the same figure, in any locale and at any time.
// With the figure's title, sentence and provenance in the file. Throws std::invalid_argument for a
// size that is not above 0, or for a PNG beyond 32,767 pixels, and std::runtime_error with cairo's
// reason.
std::string png_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::string svg_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::string pdf_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);

// The same picture as the PNG's, for the eye alone. Throws as png_bytes().
Pixels picture_pixels(const Figure& figure, const SheetSize& size, const DrawOptions& options);

// The provenance as one JSON object of texts, in order.
std::string provenance_json(const Provenance& provenance);

}  // namespace dispersion

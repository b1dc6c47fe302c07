#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/export/figure_painter.h"
#include "app/export/sheet.h"
#include "core/figure/figure.h"

namespace dispersion {

// Pictures of one figure. X_bytes() gives a file: the same for the same figure, in any locale and
// at any time, with the figure's title, sentence and provenance in it, and with the whole figure
// where no command makes it again. Throws std::invalid_argument for a size that is not above 0, and
// std::runtime_error with cairo's reason.
//
// X_provenance() and X_figure() read back out of a file where the figure came from, and the JSON of
// the figure that it carries: nothing where there is none, where the file ends too early, or where
// it is not what it says. No length in a file is believed.

// Throws std::invalid_argument beyond 32,767 pixels.
std::string png_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
bool is_png(std::string_view bytes);
std::optional<Provenance> png_provenance(std::string_view bytes);
std::optional<std::string> png_figure(std::string_view bytes);

// The same picture as the PNG's, for the eye alone. Throws as png_bytes().
Pixels picture_pixels(const Figure& figure, const SheetSize& size, const DrawOptions& options);

std::string svg_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::optional<Provenance> svg_provenance(std::string_view bytes);
std::optional<std::string> svg_figure(std::string_view bytes);

std::string pdf_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::optional<Provenance> pdf_provenance(std::string_view bytes);
std::optional<std::string> pdf_figure(std::string_view bytes);

// The PDF with the file `figure.json` of these contents attached, which pages know nothing of and
// pdf_figure() finds; of several the last one. Only for a PDF that cairo wrote: with a plain table
// of its objects. Throws std::runtime_error for another one.
std::string with_attachment(std::string pdf, std::string_view contents);

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/export/figure_file.h"
#include "core/figure/figure.h"

namespace dispersion {

// A figure in the picture of it: what no command makes again travels whole with its picture, so
// that it can be drawn again.

// Whether files of the format can hold a whole figure, and with it the style that was set.
bool carries_figure(FigureFormat format);

// The figure as JSON, for a picture to carry. Empty when its provenance tells the command that
// makes it.
std::string carried_figure(const Figure& figure);

// The file of a figure that tells no command: with its style in its provenance, if the format can
// hold the figure. Throws as figure_bytes().
std::string carrying_bytes(Figure figure, FigureFormat format, const RenderOptions& render_options);

// The figure that a PNG, SVG or PDF carries, or that a JSON file is. Nothing where there is none.
// Throws FileError for one that is cut off or changed.
std::optional<Figure> stored_figure(const std::filesystem::path& file, std::string_view bytes);

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/export/animation.h"
#include "app/export/figure_format.h"
#include "app/export/style.h"

namespace dispersion {

// The bytes of exported files, and what can be read back out of them.

// The bytes of a file of one figure. Throws std::invalid_argument for a size that is not possible,
// and for a format that cannot show anything of this figure.
std::string figure_bytes(const Figure& figure, const FigureFormat& format,
                         const RenderOptions& render_options);

// The bytes of an animation that shows these figures one after the other, on a sheet that is large
// enough for each. Throws std::invalid_argument as figure_bytes() does, and if there is no figure.
std::string animation_bytes(std::span<const Figure> figures, const FigureFormat& format,
                            const RenderOptions& render_options, const AnimationTiming& timing);

// The render options for the frames of an animation. Curves are named in a legend: names at the
// ends of the curves would move from frame to frame, and the axes with them.
RenderOptions animation_render_options(RenderOptions render_options);

// The bytes of a file of a figure that no command makes again. If the format can carry a figure,
// the file holds it as JSON, and the render options as the entry "look" of its provenance, so that
// it can be drawn again. Throws as figure_bytes() does.
std::string carrying_bytes(Figure figure, const FigureFormat& format,
                           const RenderOptions& render_options);

// The bytes of an exported file of at most 1 GiB. Throws FileError if it cannot be read, and, after
// its first bytes, if these are of none of the formats.
std::string read_exported_file(const std::filesystem::path& file);

// The figure that a file carries; nothing if it carries none. Throws FileError if the file is cut
// off or was changed.
std::optional<Figure> stored_figure(const std::filesystem::path& file, std::string_view bytes);

// The provenance of an exported file; the format is recognised from its bytes, and `file` is its
// name for error messages. Throws FileError, which says what was expected, for a file of another
// program and for one that is cut off within its provenance.
Provenance stored_provenance(const std::filesystem::path& file, std::string_view bytes);

}  // namespace dispersion

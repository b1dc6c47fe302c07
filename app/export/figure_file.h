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

// How a figure is to look in its file.
struct RenderOptions {
  const Style* style = nullptr;
  SizeRequest size = {};
  DrawOptions draw = {};
};

// The bytes of the file of one figure. Throws std::invalid_argument for a size that cannot be, or
// for a format that this figure has nothing for.
std::string figure_bytes(const Figure& figure, const FigureFormat& format,
                         const RenderOptions& render_options);

// The bytes of an animation of these figures, one after the other on a sheet with room for every
// one of them. Throws std::invalid_argument as figure_bytes(), and without figures.
std::string animation_bytes(std::span<const Figure> figures, const FigureFormat& format,
                            const RenderOptions& render_options, const AnimationTiming& timing);

// How its frames are styled: curves have a legend, because names at their ends would move with
// them, and the axes with the names.
RenderOptions animation_render_options(RenderOptions render_options);

// What no command makes again travels whole with its picture, so that it can be drawn again.

// The file of a figure that tells no command: with its style in its provenance, if the format can
// hold the figure. Throws as figure_bytes().
std::string carrying_bytes(Figure figure, const FigureFormat& format,
                           const RenderOptions& render_options);

// The figure that such a file carries. Nothing where there is none. Throws FileError for one that
// is cut off or changed.
std::optional<Figure> stored_figure(const std::filesystem::path& file, std::string_view bytes);

}  // namespace dispersion

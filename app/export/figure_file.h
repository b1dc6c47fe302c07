#pragma once

#include <string>

#include "app/export/figure_format.h"
#include "app/export/style.h"

namespace dispersion {

// How a figure is to look in its file.
struct RenderOptions {
  const Style* style = nullptr;
  SizeRequest size = {};
  DrawOptions draw = {};
};

// The bytes of the file. Throws std::invalid_argument for a size that cannot be, or for a format
// that this figure has nothing for.
std::string figure_bytes(const Figure& figure, FigureFormat format,
                         const RenderOptions& render_options);

}  // namespace dispersion

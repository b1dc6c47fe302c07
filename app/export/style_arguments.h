#pragma once

#include <string>

#include "app/export/figure_file.h"
#include "core/figure/surface.h"

namespace dispersion {

// The options of the command `figure` that style a figure so: "--style paper --width 84mm"; empty
// for what is usual. Numbers have all their digits.
std::string style_arguments(const RenderOptions& render_options);

// A view given in degrees, as the option --view has it.
SurfaceView view_of_degrees(double azimuth, double elevation);

// The same view to a hundredth of a degree, which is how style_arguments() writes it, so that it
// comes back as it was.
SurfaceView rounded_view(const SurfaceView& view);

}  // namespace dispersion

#pragma once

#include "app/desk/export_settings.h"
#include "app/desk/shown_figures.h"
#include "app/export/figure_file.h"

namespace dispersion {

// How a figure of the window is dressed by the settings.
FigureDress export_dress(const ExportSettings& settings, const ShownFigure& shown);

}  // namespace dispersion

#pragma once

#include "app/export/figure_file.h"
#include "app/session/export_settings.h"
#include "app/session/figure_snapshots.h"

namespace dispersion {

// How a figure of the window is styled by the settings.
RenderOptions export_render_options(const ExportSettings& settings, const FigureSnapshot& shown);

}  // namespace dispersion

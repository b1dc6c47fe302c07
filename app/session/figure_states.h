#pragma once

#include <vector>

#include "app/session/figure_snapshots.h"

namespace dispersion {

// Adds the entry "state" to the provenance of figures that are exported or copied: the state string
// of the window (state_string.h), with the head at the step that the figure shows. A figure of
// several steps names no head.
void add_states(const AppState& app, std::vector<FigureSnapshot>& figures);

}  // namespace dispersion

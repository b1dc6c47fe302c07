#pragma once

#include "core/figure/surface.h"

namespace dispersion {

struct AppState;

// Takes the figures of the view in front for copies and files. Where they are not finished, they
// are shown as they are, and what is ordered waits for the finished ones (ExportState::waiting).
// False, with a message, where there are none.
bool take_figures(AppState& app);

// Whether the figures of the view in front are being computed: frames of several steps of a head
// that is trained, or an experiment that is not done.
bool figures_unfinished(const AppState& app);

// Replaces figures that were waited for once they are finished, and stops their computation where
// nobody waits any more. Returns whether there is more to do at once.
bool follow_figures(AppState& app);

}  // namespace dispersion

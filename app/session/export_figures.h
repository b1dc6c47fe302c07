#pragma once

#include "app/session/views.h"

namespace dispersion {

struct AppState;

// Takes the figures of the view in front for copies and files. Where they are not finished, they
// are shown as they are, and what is ordered waits for the finished ones (ExportState::waiting).
// False, with a message, where there are none.
bool take_figures(AppState& app);

// The same of another view, while the dialog is open.
bool take_other_figures(AppState& app, View view);

// Whether the figures of the view are being computed: frames of several steps of a head
// that is trained, or an experiment that is not done.
bool figures_unfinished(const AppState& app, View view);

// Replaces figures that were waited for once they are finished, and stops their computation where
// nobody waits any more. Returns whether there is more to do at once.
bool follow_figures(AppState& app);

}  // namespace dispersion

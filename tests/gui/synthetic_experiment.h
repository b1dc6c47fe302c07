#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "app/session/app_state.h"
#include "app/session/experiment_states.h"

namespace dispersion {

// Made-up figures with every kind of part, so that the window can be tested without computing
// anything: a table and a plot for the table view; points, bars, lines and a range for the fit;
// four fields for the surface; several curves with intervals for the spread. Throws for other
// views.
Figure synthetic_figure(View view);

// Requests whose results are these figures. If `release` is given, the table's computation shows a
// partial table and waits until `release` is set.
MakeRequest synthetic_requests(std::shared_ptr<std::atomic<bool>> release = nullptr);

// From where the surfaces of a view are seen.
inline SurfaceView& seen_from(AppState& app, View view) {
  return app.zooms[std::string(view_figure(view))].seen_from;
}

}  // namespace dispersion

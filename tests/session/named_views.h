#pragma once

#include "app/session/views.h"

namespace dispersion {

// The views of the experiments, for tests.
inline const View kTableView = view_named("table");
inline const View kFitView = view_named("fit");
inline const View kSurfaceView = view_named("surface");
inline const View kBoundsView = view_named("bounds");
inline const View kSpreadView = view_named("spread");
inline const View kDepthView = view_named("depth");
inline const View kStreamingView = view_named("streaming");
inline const View kPrecisionView = view_named("precision");

}  // namespace dispersion

#pragma once

#include <atomic>
#include <memory>

#include "app/session/study_board.h"

namespace dispersion {

// Figures with every kind of part, so that the window can be tested without computing anything.
// View::kTable: a table and a plot; kFit: points, bars, lines, a range; kSurfaces: four fields;
// kSpread: several curves with intervals; others: a failure.
Figure synthetic_figure(View view);

// A plan for each of them; kTable waits in the middle of its work until `release` is set.
StudyPlanner synthetic_planner(std::shared_ptr<std::atomic<bool>> release = nullptr);

}  // namespace dispersion

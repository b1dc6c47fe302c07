#pragma once

#include <vector>

#include "app/desk/study_board.h"

namespace dispersion {

// The views of the program, in the order of the top bar.
std::vector<View> study_views();

// What each view's study would be, as things are set on the desk.
StudyPlan plan_study(View view, const Desk& desk);

}  // namespace dispersion

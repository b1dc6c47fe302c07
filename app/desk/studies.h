#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/desk/study_board.h"

namespace dispersion {

// The views of the program, in the order of the top bar.
std::vector<View> study_views();

// What each view's study would be, as things are set on the desk.
StudyPlan plan_study(View view, const Desk& desk);

// One for each view; see there.
StudyPlan plan_table(const Desk& desk);
StudyPlan plan_fit(const Desk& desk);
StudyPlan plan_surfaces(const Desk& desk);
StudyPlan plan_bounds(const Desk& desk);
StudyPlan plan_spread(const Desk& desk);
StudyPlan plan_depth(const Desk& desk);
StudyPlan plan_streaming(const Desk& desk);
StudyPlan plan_precision(const Desk& desk);

// "name 1.000000 2.000000": the key of a plan that depends on these numbers.
std::string study_key(std::string_view name, std::initializer_list<double> values);

// What is said of a result that was there before.
std::string stored_text(const std::string& commit, const std::string& backend);

// The name of the open head and where it stands, for the provenance of a figure of it.
Provenance open_head_provenance(const Desk& desk);

}  // namespace dispersion

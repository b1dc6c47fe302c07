#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/study_board.h"

namespace dispersion {

// The views of the program, in the order of the top bar.
std::vector<View> study_views();

// What each view's study would be, as things are set now.
StudyPlan plan_study(View view, const AppState& app);

// One for each view; see there.
StudyPlan plan_table(const AppState& app);
StudyPlan plan_fit(const AppState& app);
StudyPlan plan_surfaces(const AppState& app);
StudyPlan plan_bounds(const AppState& app);
StudyPlan plan_spread(const AppState& app);
StudyPlan plan_depth(const AppState& app);
StudyPlan plan_streaming(const AppState& app);
StudyPlan plan_precision(const AppState& app);

// "name 1.000000 2.000000": the key of a plan that depends on these numbers.
std::string study_key(std::string_view name, std::initializer_list<double> values);

// What is said of a result that was there before.
std::string stored_text(const std::string& commit, const std::string& backend);

// The name of the open head and where it stands, for the provenance of a figure of it.
Provenance open_head_provenance(const AppState& app);

}  // namespace dispersion

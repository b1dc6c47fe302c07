#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What is presented (app/lesson/presentation.h), in a window of this size: the view alone, beside
// the text of a lesson, above a line that says where one is and which keys there are. Nothing while
// the screen is blank.
void draw_presentation(AppState& app, Session& session, PanelState& state, ImVec2 size);

// The line at the foot, at the lower edge of a window of this size.
void draw_presentation_foot(AppState& app, Session& session, PanelState& state, ImVec2 size);
float presentation_foot_height(const Painter& painter);

// A ring around the pointer while it moves, over everything.
void draw_pointer_ring(AppState& app, Painter& painter);

// "3 of 8", "the desk; 5 bookmarks follow", "n = 1 024": where one is in what is presented.
std::string presented_place(const AppState& app);
// What is still computed for it, in words; empty: nothing is.
std::string presented_progress(const AppState& app);

// --- A lesson ---

// The text of the step, its question and its answer, in a column of this size.
void draw_lesson_column(AppState& app, Session& session, PanelState& state, ImVec2 corner,
                        ImVec2 size);

}  // namespace dispersion

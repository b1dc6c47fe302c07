#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Notices ask something of the user, and stand above the view until it is answered: a run that
// diverged, a device that was lost, a run that an earlier session left unsaved. The height is 0
// where there is none. `width`: of the view.
float notice_height(const AppState& app, const Painter& painter, float width);
void draw_notices(AppState& app, Session& session, PanelState& state, float width);

// Reports tell what has happened: a head was saved, a file could not be read, settings were set
// aside. They lie over the window, and move nothing. A success goes after a few seconds; a failure
// stays until the user has read it, and its text can be copied.

// Lets a success go when its time is over. To be called once in every frame.
void forget_success(const AppState& app, PanelState& state);
bool report_shown(const AppState& app, const PanelState& state);
// Draws the reports in the lower right corner of this part of the window.
void draw_reports(AppState& app, PanelState& state, ImVec2 low, ImVec2 high);

}  // namespace dispersion

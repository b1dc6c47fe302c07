#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The actions of buttons and keys, so that both do the same.

void play_or_pause(AppState& app, Session& session);
void single_step(Session& session);
void rewind(Session& session);
// The run that was set aside by a rewind, a new run or an opened file.
void bring_back(Session& session);
// A new run with the next seed and the recipe of the run that is open.
void new_seed(AppState& app, Session& session);
// A new run as the recipe panel says.
void start_run(AppState& app, Session& session);
bool recipe_changed(const AppState& app);
// Takes the open run's recipe and seed into the recipe panel, unless the user is changing them.
void follow_run(AppState& app, PanelState& state);

// Moves the focused n by `steps` doublings within the sizes there are.
void double_items(AppState& app, PanelState& state, int steps);
void focus_items(AppState& app, PanelState& state, int items);
// Index of the focused n among the sizes, and of any n; -1: none.
int size_index(int items);

// The plots in front as they are by themselves: whole axes, all curves.
void fit_plots(AppState& app);

// Begins to ask for a file name, with a sensible one filled in.
void ask_for_path(const AppState& app, PathEntry& entry, PathEntry::Purpose purpose);

// Where a picture is concerned: how far the outline is on its way, in [0, 1].
double motion_share(const PanelState& state);

}  // namespace dispersion

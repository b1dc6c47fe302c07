#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What buttons and keys do, in one place so that both do the same.

void play_or_pause(AppState& app, Session& session);
void single_step(Session& session);
// Puts the state of the window on the clipboard as one line, and opens the one that is there.
void copy_state(AppState& app, PanelState& state);
void paste_state(AppState& app, Session& session);
void rewind(Session& session);
// Brings back the run that a rewind, a new run or an opened file has replaced.
void bring_back(Session& session);
// Starts a new run with the next seed and the recipe of the open run; fields of the recipe panel
// that were edited stay as they are.
void new_seed(AppState& app, Session& session);
// Starts the open run anew with half its learning rate; other fields that were edited stay.
void halve_learning_rate(AppState& app, Session& session);
// Starts a new run with the recipe and the seed of the recipe panel.
void start_run(AppState& app, Session& session);
// Whether the recipe panel differs from the open run.
bool recipe_changed(const AppState& app);
// Copies the open run's recipe and seed to the recipe panel when they have changed, unless the user
// has edited the panel.
void follow_run(AppState& app, PanelState& state);

inline constexpr double kLargestStop = 1e9;  // steps
// Training pauses by itself after this step, also in a run that is training.
void stop_at(AppState& app, Session& session, std::int64_t step);

// Brings the field with this label to the front and gives it the keyboard.
void show_field(AppState& app, PanelState& state, const std::string& label);
void show_experiment_field(AppState& app, PanelState& state, View view, const std::string& label);

// Doubles the focused n `steps` times, or halves it where negative, within the sizes there are.
void double_items(AppState& app, PanelState& state, int steps);
void focus_items(AppState& app, PanelState& state, int items);
// Index of n among the sizes; -1 if it is not one of them.
int size_index(int items);
// How far the outline around the focused frames has moved to its new place, in [0, 1].
double motion_share(const PanelState& state);

// Undoes zoom and hidden curves of the plots in front.
void fit_plots(AppState& app);

// Shows the numbers of all figures as tables, or all as figures again.
void toggle_tables(PanelState& state);

// Opens the question for a file name, with a suggested name filled in.
void ask_for_path(const AppState& app, PathEntry& entry, PathEntry::Purpose purpose);

// Gives the window its usual size, in the middle of the first screen, with letters of the usual
// size.
void reset_layout(AppState& app, PanelState& state);

// Opens the folder of the file that was saved last in the desktop's file manager, or reports why
// not.
void open_saved_folder(AppState& app);

// The text that Ctrl+C copies: the selected rows of tables of numbers, or else the view in words
// and numbers (session/describe.h).
std::string everything_shown(const AppState& app, const PanelState& state);

}  // namespace dispersion

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/panels/painter.h"
#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Play, pause, step, rewind, new seed; how far the run is and how well it does.
void draw_training_panel(AppState& app, Session& session, PanelState& state);

// How logits become weights: temperature, adaptive rule, and the colour scale of the heat maps.
void draw_attention_controls(AppState& app, PanelState& state);

// The focused set size n: halve, double, slide.
void draw_size_panel(AppState& app, PanelState& state);

// The settings that decide a run: L2, optimiser, batch, sizes, seed. A change takes effect with a
// new run.
void draw_recipe_panel(AppState& app, Session& session, PanelState& state);

// Accuracy and entropy against n, side by side. A click picks the n.
void draw_curves(AppState& app, PanelState& state, ImVec2 size);

// The run as it goes: loss and batch accuracy against the step.
void draw_history_panel(AppState& app, PanelState& state, ImVec2 size);

// The measurements at the focused n, under plain softmax and under the adaptive rule.
void draw_focused_size_panel(const AppState& app, PanelState& state);

// Why attention disperses or not at the focused n: logit spread, the paper's bound, and what the
// adaptive rule does.
void draw_why_panel(const AppState& app, PanelState& state);

// The largest weight an item can have among n when all logits lie within `spread`: the sharp form
// of the bound in lemma 2.1.
double largest_possible_weight(double spread, double theta, int items);

// Share of the shown sets whose entropy lies where the rule leaves theta alone although attention
// is dispersed: above the gate and with beta = 1.
double share_beyond_rule(const AttentionFrame& plain, const AdaptiveRule& rule);

// The exact values of the cell under the pointer on the heat maps.
void draw_pointer_panel(const AppState& app, PanelState& state);

// A small curve of beta(H), with the entropies of the frames on it.
void draw_rule_sketch(const AppState& app, Painter& painter);

// The program's name, what is open, and what can be done with it; or the question for a file name.
// `pages`: whether the window is so small that the pages have to be chosen here.
void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages);

// The views to choose from, from the left: those of the theory in a menu of their own. Returns
// where they end.
float draw_view_tabs(AppState& app, PanelState& state, ImVec2 at);

// All views in one menu, where there is little room. Returns where its button ends.
float draw_view_menu(AppState& app, PanelState& state, ImVec2 at);

// Asks for the name of a file to save to or to open, in one line where the top bar is. A file that
// is there already is only overwritten after a second press.
void draw_path_bar(Session& session, PanelState& state);

// Messages for the user above the view: a run that diverged, a file that could not be read or
// written, a save that is done. A message of success disappears after a few seconds; a failure
// stays until the user dismisses it. Height in window units; 0 when there is no message.
void forget_success(const AppState& app, PanelState& state);
float notice_height(const AppState& app, const PanelState& state);
void draw_notices(AppState& app, Session& session, PanelState& state, float width);

// One line: the backend, the run's hash, seed, step and speed, and how full the device's memory is.
void draw_status_line(const AppState& app, PanelState& state);

// Carries out what the user presses on the keyboard, unless a text field has the focus.
void handle_keys(AppState& app, Session& session, PanelState& state);

// The list of keys, over the view.
void draw_keys_card(PanelState& state, ImVec2 low, ImVec2 high);

// Ctrl E, Ctrl D and Ctrl Shift C, in the window and in the dialog.
void handle_export_keys(AppState& app, PanelState& state);

// Format, size and style of a figure's file, its preview, and its path; drawn over everything while
// app.exporting.open.
void draw_export_dialog(AppState& app, PanelState& state);

// The settings of the export dialog, one below the other, in the current column.
void draw_export_fields(ExportState& exporting, Painter& painter);

}  // namespace dispersion

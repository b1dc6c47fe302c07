#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The one table of what the user can do in the window. Keys, the list of keys (F1), the palette
// (Ctrl+K) and the buttons of actions with their tooltips come from it. To add an action, add a
// row to the file of its subject, actions_of_SUBJECT.cpp.

// What actions act on.
struct Actor {
  AppState& app;
  Session& session;
  PanelState& state;
};

// Where the keys of an action work.
enum class Reach {
  kWindow,   // in the window, unless the user is typing
  kDialog,   // also in the export dialog
  kAnytime,  // also while the user is typing; closes the dialog that is open
  kPresent,  // while something is presented; the key does nothing else then
};

// A number that an action sets: the palette takes it after the action's name, "temperature 0.5".
struct ActionNumber {
  double low = 0;
  double high = 1;
  bool whole = false;
  std::function<void(const Actor&, double)> set;
  bool is_count = false;  // with digits in groups
};

struct Action {
  std::string id;                          // "run.step"; not shown
  std::string group;                       // "Training"
  std::string name;                        // "One training step"
  std::string help = {};                   // a sentence; may be empty
  std::vector<ImGuiKeyChord> chords = {};  // the first ones are shown, the others do the same
  std::function<void(const Actor&)> act = nullptr;
  int shown_chords = 1;
  bool repeats = false;  // while the key is held
  Reach reach = Reach::kWindow;
  bool available = true;                              // it would do something now
  std::string value = {};                             // what is set now: "0.5", "on"
  std::optional<ActionNumber> number = std::nullopt;  // it sets a number
};

// All rows, as they are now: values, and the rows of views, transforms and settings there are.
std::vector<Action> actions(const AppState& app, const PanelState& state);

// The row of this id; null: there is none.
const Action* find_action(const std::vector<Action>& all, std::string_view id);

// Carries out the row of this id if it is available.
void run_action(const Actor& actor, std::string_view id);

// A button of this label that carries out an action; its tooltip is the help of the action with
// its keys. `width` in window units; 0: as wide as the label needs.
enum class ButtonKind;
void action_button(const Actor& actor, std::string_view id, const char* label, ButtonKind kind,
                   float width);

// A tooltip for the item that was drawn last: the help of an action with its keys.
void action_tooltip(const AppState& app, const PanelState& state, std::string_view id);

// "Ctrl Shift Z"; "→   ↑" for the chords of a row that are shown; empty: it has none.
std::string chord_text(ImGuiKeyChord chord);
std::string chords_text(const Action& action);

// The rows of one subject.
void add_run_actions(std::vector<Action>& all, const AppState& app, const PanelState& state);
void add_recipe_actions(std::vector<Action>& all, const AppState& app);
void add_view_actions(std::vector<Action>& all, const AppState& app);
void add_size_actions(std::vector<Action>& all, const AppState& app);
void add_attention_actions(std::vector<Action>& all, const AppState& app);
void add_experiment_actions(std::vector<Action>& all, const AppState& app);
void add_file_actions(std::vector<Action>& all, const AppState& app);
void add_state_actions(std::vector<Action>& all, const AppState& app);
void add_presentation_actions(std::vector<Action>& all, const AppState& app);
void add_window_actions(std::vector<Action>& all, const AppState& app, const PanelState& state);

}  // namespace dispersion

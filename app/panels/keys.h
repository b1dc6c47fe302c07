#pragma once

#include <imgui.h>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Whether the key was pressed in this frame with exactly these modifiers held: "Ctrl and E", or S
// alone. A modifier that was released in the same frame still counts: when frames are slow, a quick
// Ctrl+S is pressed and released within one frame, and it must not be taken for S.
bool pressed(ImGuiKeyChord chord);

// Carries out what the user presses on the keyboard, unless a text field has the focus.
void handle_keys(AppState& app, Session& session, PanelState& state);

// The keys that work in the window and in the export dialog: Ctrl+E, Ctrl+D and Ctrl+Shift+C.
void handle_export_keys(AppState& app, PanelState& state);

// The list of keys, centred over the view between the corners `low` and `high`.
void draw_keys_card(PanelState& state, ImVec2 low, ImVec2 high);

}  // namespace dispersion

#pragma once

#include <imgui.h>

#include <span>

#include "app/panels/actions_table.h"

namespace dispersion {

// The views that a digit opens; those after them have no key.
inline constexpr int kNumberedViews = 9;

// Whether the key was pressed in this frame with exactly these modifiers held: "Ctrl and E", or S
// alone; with `repeats` also again and again while it is held. A modifier that was released in the
// same frame still counts: when frames are slow, a quick Ctrl+S is pressed and released within one
// frame, and it must not be taken for S.
bool pressed(ImGuiKeyChord chord, bool repeats = false);

// How many of the actions this chord carries out.
int actions_of(std::span<const Action> all, ImGuiKeyChord chord);

// Carries out what the user presses on the keyboard, unless a text field has the focus. While the
// export dialog is open, only what copies and exports figures.
void handle_keys(const Actor& actor);

// The list of keys, over the view between the corners `low` and `high`.
void draw_keys_list(const AppState& app, PanelState& state, ImVec2 low, ImVec2 high);

}  // namespace dispersion

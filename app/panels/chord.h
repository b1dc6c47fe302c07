#pragma once

#include <imgui.h>

namespace dispersion {

// Whether the key was pressed in this frame with exactly these modifiers held: "Ctrl and E", or S
// alone. A modifier that was let go in the same frame still counts: in a slow frame a quick Ctrl+S
// is over before anyone looks, and must not become S.
bool pressed(ImGuiKeyChord chord);

// The modifiers that count in this frame.
ImGuiKeyChord modifiers();

}  // namespace dispersion

#pragma once

#include <imgui.h>

#include <optional>

#include "app/panels/painter.h"

namespace dispersion {

// Begins a dialog in the middle of the window, over everything: `wanted` logical pixels large, or
// as large as the window allows. Returns its size in window units; nothing: it is not drawn, and
// end_dialog() is not to be called. To be opened by ImGui::OpenPopup(name).
std::optional<ImVec2> begin_dialog(const Painter& painter, const char* name, ImVec2 wanted);
void end_dialog();

}  // namespace dispersion

#pragma once

#include <imgui.h>

#include <string_view>

#include "app/panels/painter.h"

namespace dispersion {

// A panel of the view: a filled rectangle with a title and a quiet subtitle, at the cursor. What is
// drawn until end_panel() lies inside. `kept_free`: width at the right end of the title row. `size`
// in window units.
void begin_panel(Painter& painter, const char* id, ImVec2 size, std::string_view title,
                 std::string_view subtitle, float kept_free = 0);
void end_panel();

// What a panel shows while it has nothing: a sentence in its middle.
void draw_empty(const Painter& painter, ImVec2 low, ImVec2 high, std::string_view sentence);

}  // namespace dispersion

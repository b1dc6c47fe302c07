#pragma once

#include "app/panels/actions_table.h"

namespace dispersion {

// The buttons at the right end of the top bar. Where not all have room, the least important ones
// are lines of a menu behind a button "…" at the end.

// Draws them right-aligned between `left` and `right`. Returns where they begin.
float draw_bar_actions(const Actor& actor, float left, float right, float y);

// All of them as lines of the menu that is open: in a small window, whose bar has no buttons.
void action_lines(const Actor& actor);

}  // namespace dispersion

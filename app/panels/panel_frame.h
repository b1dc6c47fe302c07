#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/panels/painter.h"

namespace dispersion {

// Begins a panel of the view at the cursor: a filled rectangle of this size (window units) with a
// title and as much of a muted subtitle as fits (subtitle_parts). What is drawn until end_panel()
// lies inside. `kept_free`: width at the right end of the title row that the subtitle does not use.
void begin_panel(Painter& painter, const char* id, ImVec2 size, std::string_view title,
                 std::string_view subtitle, float kept_free = 0);
void end_panel();

// Begins a card over everything drawn before it, in the middle between the corners `low` and
// `high`, of this size or as large as fits. What is drawn until end_card() lies inside; what may
// not fit scrolls in a child window of its own.
void begin_card(const Painter& painter, const char* id, ImVec2 size, ImVec2 low, ImVec2 high);
void end_card();

// Draws a sentence in the middle of a rectangle that has nothing else to show yet.
void draw_empty(const Painter& painter, ImVec2 low, ImVec2 high, std::string_view sentence);

// The texts to which a subtitle may be shortened, longest first. It is cut at commas, so that its
// first words stay longest, and of those a unit; a set in braces stays whole; and the notes from
// the first semicolon on, which say what is missing, stay whole as long as they fit beside more
// than the unit.
std::vector<std::string> subtitle_parts(const std::string& whole);

// What has to stay of a subtitle where there is any room for it: up to its first comma or
// semicolon, as in "% of 2 048 sets, against n".
std::string least_subtitle(const std::string& whole);

// The longest of these texts that fits into `room`; empty if none does.
std::string subtitle_that_fits(const Painter& painter, const std::string& whole, float room);

}  // namespace dispersion

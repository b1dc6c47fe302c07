#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/panels/painter.h"

namespace dispersion {

inline constexpr float kMenuWidth = 190;

// A line of a popup menu. `id` names it for Dear ImGui.
struct MenuLine {
  std::string id;
  std::string text;
  std::string note = {};       // muted, at the right end: a key
  bool chosen = false;         // what is on or open has a dot before it
  std::string_view help = {};  // a tooltip
  float width = kMenuWidth;    // logical pixels; the same for all lines of a menu
  // Draws a picture with `at` as its upper left corner, 16 x 14 logical pixels, before the text.
  std::function<void(ImVec2 at, Colour ink)> picture = {};
};

// Begins the menu of this id below `at` if it is open; where it does, end_menu() follows.
bool begin_menu(Painter& painter, const char* id, ImVec2 at);
void end_menu();

// Draws a line as wide as the menu. Returns whether it was clicked, which closes the menu.
bool menu_line(Painter& painter, const MenuLine& line);
// A hairline between two groups of lines.
void menu_separator(Painter& painter);

}  // namespace dispersion

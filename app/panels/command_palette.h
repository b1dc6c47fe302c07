#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/text_entry.h"

namespace dispersion {

// The palette: a line to type in, and below it the actions that it finds.
struct CommandPalette {
  bool open = false;
  bool shown = false;  // it was open in the last frame
  std::array<char, 256> text{};
  EntryFocus focus;
  int selected = 0;
  std::string refusal = {};  // why what was typed could not be done, until the text changes
  std::vector<std::string> recent =
      {};  // ids of the actions that it carried out last, newest first
};

void open_palette(CommandPalette& palette);

struct Actor;

// Draws the palette over everything while it is open, and carries out what the user chooses.
void draw_command_palette(const Actor& actor);

}  // namespace dispersion

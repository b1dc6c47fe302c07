#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/panels/painter.h"

namespace dispersion {

// The name of a group of controls, with a hairline under it.
// `note`, muted, stands at the right end of the line.
void section_title(Painter& painter, std::string_view name, std::string_view note = "");
// A smaller name within a section, in a colour of its own.
void group_title(Painter& painter, std::string_view name, Colour value);

// A label on the left, muted, and its value on the right. A click copies `exact`.
struct ValueRow {
  std::string label;
  std::string text;
  std::string exact;                                  // every digit, plain; empty: `text`
  std::optional<Colour> value_colour = std::nullopt;  // unset: the text colour
  std::string_view help;                              // of the label, as a tooltip
  std::string_view unit = {};                         // of `exact`; named when everything is copied
};
void value_row(Painter& painter, const ValueRow& row);

enum class ButtonKind { kPlain, kPrimary };

// A button of a width in window units; 0: as wide as its text asks for.
bool push_button(Painter& painter, const char* label, ButtonKind kind, float width,
                 std::string_view help);

// A switch with its label on the right, on in `on_colour`.
bool toggle(Painter& painter, const char* label, bool& value, Colour on_colour,
            std::string_view help);

// One of several short names, side by side, over the whole width. `chosen` is changed.
bool segments(Painter& painter, const char* id, const char* const* names, int count, int& chosen,
              std::string_view help);

void progress_line(Painter& painter, double share);

// Explains the item drawn last, when the pointer rests on it.
void help_tooltip(const Painter& painter, std::string_view text);

}  // namespace dispersion

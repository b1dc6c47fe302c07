#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/panels/painter.h"
#include "core/figure/named_value.h"

namespace dispersion {

// The name of a group of controls with a hairline under it, and a muted note at the right end.
void section_title(Painter& painter, std::string_view name, std::string_view note = "");
// A smaller name within a section, in this colour.
void group_title(Painter& painter, std::string_view name, Colour value);

// A label on the left, muted, and its value on the right. A click copies `exact`.
struct ValueRow {
  std::string label;
  Statement text;
  std::string exact;                                  // all digits, for copying; empty: `text`
  std::optional<Colour> value_colour = std::nullopt;  // unset: the text colour
  std::string_view help;                              // of the label, as a tooltip
  std::string_view unit = {};                         // of `exact`, for "copy everything"
};
void value_row(Painter& painter, const ValueRow& row);
// The same for a number of a result.
void named_value_row(Painter& painter, const NamedValue& value, std::optional<Colour> colour = {});

enum class ButtonKind { kPlain, kPrimary };

// A button of this width in window units; 0: as wide as its text needs. Returns whether it was
// clicked. In the label, what follows "###" is not shown and names the item for Dear ImGui.
bool push_button(Painter& painter, const char* label, ButtonKind kind, float width,
                 std::string_view help);

// A button that puts a message on the clipboard, and says so for a moment. `id` is that of the
// item.
void copy_button(Painter& painter, const std::string& id, const std::string& message, float width);

// A switch with its label on the right; `on_colour` is its colour while it is on. Returns whether
// it was clicked.
bool toggle(Painter& painter, const char* label, bool& value, Colour on_colour,
            std::string_view help);

// Several short names side by side over the whole width, one of them chosen. Returns whether the
// user chose another, whose index is then in `chosen`.
bool segments(Painter& painter, const char* id, const char* const* names, int count, int& chosen,
              std::string_view help);

// A thin line over the whole width, filled from the left to this share in [0, 1].
void progress_line(Painter& painter, double share);

// A tooltip with this text for the item that was drawn last.
void help_tooltip(const Painter& painter, std::string_view text);

}  // namespace dispersion

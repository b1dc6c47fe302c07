#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/panels/painter.h"
#include "core/figure/number_text.h"

namespace dispersion {

// Controls with which the user sets a value. `help` is shown as a tooltip.

// A horizontal slider over the whole width, with a position in [0, 1]. A double click sets the
// position `home`; an arrow key moves it by `step` while it has the focus. Returns whether the
// position changed.
bool slider(Painter& painter, const char* id, double& position, double home, std::string_view help,
            double step = 0.02);

// A muted label on the left, a number to type on the right. Returns whether a new value in
// [low, high] was entered. Any other entry leaves `value` unchanged; the label is replaced for a
// few seconds by the range that is allowed, and after Enter the field keeps the keyboard.
struct NumberField {
  const char* label;
  double low;
  double high;
  bool whole = false;  // only whole numbers
  std::string_view help;
  bool is_count = false;  // with digits in groups; a seed, which is a name, is none
};
bool number_field(Painter& painter, const NumberField& field, double& value);

// A muted label on the left and one of several names on the right, chosen from a list. `least`: of
// the width of the list, for lists below one another that are to be equally wide.
bool choice_field(Painter& painter, const char* label, const char* const* names, int count,
                  int& chosen, std::string_view help, float least = 0);
// The width that the list of these names takes by itself.
float choice_width(const Painter& painter, const char* label, std::span<const char* const> names);

// A muted label on the left and two or three names side by side on the right, one of them chosen.
bool segment_field(Painter& painter, const char* label, const char* const* names, int count,
                   int& chosen, std::string_view help);

}  // namespace dispersion

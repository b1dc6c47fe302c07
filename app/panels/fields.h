#pragma once

#include <string>
#include <string_view>

#include "app/panels/painter.h"

namespace dispersion {

// A horizontal slider over the whole width; position in [0, 1]. Arrow keys of the item move by
// `step`. Returns whether the position changed. A double click asks for the position `home`.
bool slider(Painter& painter, const char* id, double& position, double home, std::string_view help);

// A muted label on the left, a number to type on the right. Returns whether a value in
// [low, high] was entered; anything else leaves `value` as it was, and the label says for a moment
// what may be entered.
struct NumberField {
  const char* label;
  double low;
  double high;
  bool whole = false;  // only whole numbers
  std::string_view help;
};
bool number_field(Painter& painter, const NumberField& field, double& value);

// A muted label on the left and one of several names on the right, chosen from a list.
bool choice_field(Painter& painter, const char* label, const char* const* names, int count,
                  int& chosen, std::string_view help);

// Shortest text that reads back as the same number, with a point under any locale.
std::string plain_number(double value);
std::string plain_number(float value);
// With so many digits after the point; very large numbers with a power of ten.
std::string compact_number(double value, int decimals);
// Reads such text, with surrounding spaces; false when it is anything else or not finite.
bool parse_number(std::string_view text, double& value);

}  // namespace dispersion

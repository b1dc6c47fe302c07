#pragma once

#include <cmath>
#include <string>

#include "app/panels/input_fields.h"

namespace dispersion {

// The number that a text of the window begins with: "0.5 nats". NaN where there is none.
inline double number(const std::string& text) {
  double value = NAN;
  parse_number(text.substr(0, text.find(' ')), value);
  return value;
}

}  // namespace dispersion

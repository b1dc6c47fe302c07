#pragma once

#include <cmath>
#include <string>

#include "app/panels/number_entry.h"

namespace dispersion {

// The number that a text of the window begins with: "0.5 nats". NaN where there is none.
inline double number(const std::string& text) {
  return read_number(text.substr(0, text.find(' ')), false).value.value_or(NAN);
}

// The same of a number that was computed, which has the digits of single precision.
inline float single(const std::string& text) {
  return static_cast<float>(number(text));
}

}  // namespace dispersion

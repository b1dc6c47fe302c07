#pragma once

#include <cmath>
#include <string>

#include "app/panels/number_entry.h"

namespace dispersion {

// The number that a text of the window begins with: "0.5 nats". NaN where there is none.
inline double number(const std::string& text) {
  return read_number(text.substr(0, text.find(' ')), false).value.value_or(NAN);
}

}  // namespace dispersion

#pragma once

#include <string>
#include <string_view>

#include "core/figure/statement.h"

namespace dispersion {

// A number of a result as the window shows it: its name on the left, the number on the right.
struct NamedValue {
  std::string label;
  Statement value;
  std::string exact;           // with all digits
  std::string_view help = {};  // what it is, in a sentence or two
  std::string_view unit = {};  // of `exact`
};

}  // namespace dispersion

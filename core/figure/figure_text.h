#pragma once

#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// Everything a figure says as lines of tab-separated text, for the clipboard: what is seen, where
// it came from, every table as it stands and every curve and field with all digits.
std::string figure_text(const Figure& figure);

}  // namespace dispersion

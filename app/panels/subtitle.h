#pragma once

#include <string>
#include <vector>

#include "app/panels/painter.h"

namespace dispersion {

// What a subtitle may be cut to, the longest first: its unit comes first and stays longest, a set
// in braces stays whole, and what follows a semicolon is a note that is whole or not there.
std::vector<std::string> subtitle_parts(const std::string& whole);

// The longest of them that fits; empty if none does.
std::string subtitle_that_fits(const Painter& painter, const std::string& whole, float room);

}  // namespace dispersion

#pragma once

#include <string>

namespace dispersion {

// Names of a table's rows and columns that are numbers of items, "16 384": with a thin space where
// people read them and with a plain one where programs do. `value`: the number; every other name
// stays as it is.
std::string plain_name(const std::string& name, double value);
std::string typeset_name(const std::string& name, double value);

}  // namespace dispersion

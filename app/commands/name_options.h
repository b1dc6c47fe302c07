#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace dispersion {

// An option whose value is one of these names, in capitals or not; `value` becomes the name as it
// is listed. Another one is wrong usage, with a line that says which there are and which is near.
CLI::Option* add_name_option(CLI::App& app, const std::string& name, std::string& value,
                             const std::vector<std::string>& names, const std::string& description);

}  // namespace dispersion

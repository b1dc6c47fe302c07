#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `info`: what this program is and what it computes with, for reports of problems.
void add_info_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `surface`: entropy over temperature, of power series (figure 5) and of a trained head.
void add_surface_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

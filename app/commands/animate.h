#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// The doubling of n as an animation, for slides.
void add_animate_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `depth`: how the spread of the logits falls from layer to layer (appendix C).
void add_depth_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Figures as files, from the heads inside the program or from a checkpoint.
void add_figure_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

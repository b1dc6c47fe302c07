#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `evaluate`: accuracy, entropy and sharpness of a head's attention against the set size.
void add_evaluate_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `fit`: the paper's polynomial fit of 1/theta against entropy on one head.
void add_fit_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

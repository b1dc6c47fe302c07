#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `spread`: the spread of the logits against the bound on it (figure 9), over training from
// histories and of heads measured now.
void add_spread_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

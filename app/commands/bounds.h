#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `bounds`: what theory says about a head's attention weights, around what is measured (lemma
// 2.1, the proposition on entropy, the corollary on failures).
void add_bounds_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

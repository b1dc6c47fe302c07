#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `table`: the paper's Table 1 from several heads, with tests, beside the paper's numbers.
void add_table_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

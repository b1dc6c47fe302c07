#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// `study`: trains the heads behind docs/table1.md, evaluates them, stores the results and writes
// the page from what is stored.
void add_study_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

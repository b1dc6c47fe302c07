#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `train`: trains one head or several at once and keeps them as checkpoints. What the user
// asks for is carried out after parsing, in the callback; its exit code goes to `exit_code`.
void add_train_command(CLI::App& app, int& exit_code);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace dispersion {

// The subcommand that was chosen, or the program itself.
const CLI::App& chosen_command(const CLI::App& app);

// What is wrong with arguments that nothing expects, with the nearest known name where one is near:
// "unknown argument '--step', did you mean --steps?".
std::string unknown_arguments_text(const CLI::App& app);

}  // namespace dispersion

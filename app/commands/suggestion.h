#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// The subcommand that was chosen, or the program itself.
const CLI::App& chosen_command(const CLI::App& app);

// What is wrong with arguments that nothing expects, with the nearest known name where one is near:
// "unknown argument '--step', did you mean --steps?".
std::string unknown_arguments_text(const CLI::App& app);

// Which option is given more often than it may be: "--out is given 2 times; expected once".
std::string repeated_argument_text(const CLI::App& app, const std::string& otherwise);

// ", did you mean paper?" where one of the names is near, else nothing.
std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names);

// "Paper" -> "paper"; letters beyond ASCII stay.
std::string in_small_letters(std::string_view text);

}  // namespace dispersion

#pragma once

#include <filesystem>

#include "app/commands/options.h"

namespace dispersion {

// Reads the command line and carries it out. Returns the exit code: 0, 1 for a failure, 2 for wrong
// usage, 128 + signal when stopped by one. Whatever goes wrong is one line on standard error.
int run_command_line(int argc, const char* const* argv);

// Each adds one command to the command line; the experiments add one each.
void add_animate_command(CommandLine& line);
void add_evaluate_command(CommandLine& line);
void add_experiment_commands(CommandLine& line);
void add_figure_command(CommandLine& line);
void add_gui_command(CommandLine& line);
void add_headless_command(CommandLine& line);
void add_info_command(CommandLine& line);
void add_train_command(CommandLine& line);
void add_verify_command(CommandLine& line);

// What the program does without a command; both return the exit code. Opens the window with the
// head in this file, or the one inside the program when it is empty, and returns when the window is
// closed. When there is no display, or it cannot be opened, it says so in one line on standard
// error and names the command that needs no window. Throws FileError when the file cannot be read.
int run_window(const std::filesystem::path& checkpoint);
// Says that there is no display, and does what `headless` does by default.
int run_without_display();

}  // namespace dispersion

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/commands/options.h"

namespace dispersion {

struct Lesson;

// Reads the command line and runs its command. Returns the exit code: 0, 1 for a failure, 2 for
// wrong usage, 128 + signal after a signal. Every error is one line on standard error.
int run_command_line(int argc, const char* const* argv);

// Each function adds one command to the command line; add_experiment_commands() adds one for each
// experiment.
void add_animate_command(CommandLine& line);
void add_describe_command(CommandLine& line);
void add_evaluate_command(CommandLine& line);
void add_experiment_commands(CommandLine& line);
void add_figure_command(CommandLine& line);
void add_gui_command(CommandLine& line);
void add_headless_command(CommandLine& line);
void add_info_command(CommandLine& line);
void add_lesson_command(CommandLine& line);
void add_train_command(CommandLine& line);
void add_verify_command(CommandLine& line);

// Without a command the program runs one of these two, which return the exit code.

// What the window is to show first.
struct WindowRequest {
  std::filesystem::path checkpoint;  // empty: the head that was open last time, or the program's
  std::string state;                 // a state string; empty: as it was last time
  std::shared_ptr<const Lesson> lesson;  // null: none
  bool full_screen = false;
  bool reset_layout = false;  // with the usual size and place of the window and its letters
};

// Whether the desktop names a display, be it there or not.
bool has_display();
// Opens the window and returns when it is closed. If there is no display, or it cannot be opened,
// prints one line to standard error, which names the command that needs no window. Throws FileError
// if the checkpoint cannot be read, or the state is none.
int run_window(const WindowRequest& request);
// Says that there is no display, and then does what the command `headless` does by default.
int run_without_display();

}  // namespace dispersion

#pragma once

#include <filesystem>

namespace dispersion {

struct GuiOptions {
  std::filesystem::path checkpoint;  // the head to show first; empty: the shipped one
};

// Opens the window and returns when it is closed: 0. When there is no display, or it cannot be
// opened, says so in one line on stderr, names the command that needs no window, and returns 1.
// Throws FileError when `checkpoint` cannot be read.
int run_window(const GuiOptions& options);

}  // namespace dispersion

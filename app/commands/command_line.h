#pragma once

namespace dispersion {

// Reads the command line and carries it out. Returns the exit code: 0, 1 for a failure, 2 for wrong
// usage, 128 + signal when stopped by one. Whatever goes wrong is one line on standard error.
int run_command_line(int argc, const char* const* argv);

}  // namespace dispersion

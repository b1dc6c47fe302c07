#pragma once

#include <string_view>

namespace dispersion {

// Makes writing to a closed pipe or past a size limit an error with a reason instead of the
// program's end, and keeps files from taking the place of a standard stream that was closed by the
// caller.
void prepare_standard_streams();

// Writes all of it to standard output. Throws FileError with the system's reason when that fails.
void print(std::string_view text);

// "dispersion_lab: MESSAGE" as one line on standard error.
void print_error(std::string_view message);

}  // namespace dispersion

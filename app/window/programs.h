#pragma once

#include <sys/types.h>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Other programs that this one starts.

// Whether there is a program of this name in PATH.
bool in_path(std::string_view program);

enum class PipeEnd { kInput, kOutput };

// A program whose standard input or output is a pipe; its other streams lead nowhere.
struct ChildProgram {
  pid_t pid = -1;  // -1: it could not be started
  int pipe = -1;   // our end, to be closed by the caller; -1: there is none
};

// Starts the program of the first word. `end`: which of its streams is the pipe.
ChildProgram start_program(std::vector<std::string> words, PipeEnd end);

// Starts the program of the first word in a session of its own, so that it outlives this one, and
// does not wait for it. Returns false where it cannot be started.
bool start_apart(std::vector<std::string> words);

}  // namespace dispersion

#include "app/window/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

extern char** environ;

namespace dispersion {

bool in_path(std::string_view program) {
  const char* all = std::getenv("PATH");
  std::string_view folders = all == nullptr ? "" : all;
  while (!folders.empty()) {
    const std::size_t end = folders.find(':');
    const std::filesystem::path folder(folders.substr(0, end));
    if (!folder.empty() && access((folder / program).c_str(), X_OK) == 0) return true;
    folders.remove_prefix(end == std::string_view::npos ? folders.size() : end + 1);
  }
  return false;
}

namespace {

// Starts the program of the first word with streams that lead nowhere, but for the one, `stream`,
// that is `end` of a pipe. Returns -1 where it cannot be started.
pid_t spawn(std::vector<std::string> words, short flags, int end = -1, int stream = -1) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (end >= 0) posix_spawn_file_actions_adddup2(&actions, end, stream);
  // The signals that end this program may be blocked here (app/commands/interrupt.h).
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | flags));
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = -1;
  if (posix_spawnp(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ) != 0)
    pid = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

}  // namespace

ChildProgram start_program(std::vector<std::string> words, PipeEnd end) {
  ChildProgram child;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return child;
  const bool input = end == PipeEnd::kInput;
  child.pid = spawn(std::move(words), 0, ends[input ? 0 : 1], input ? STDIN_FILENO : STDOUT_FILENO);
  close(ends[input ? 0 : 1]);
  child.pipe = ends[input ? 1 : 0];
  return child;
}

bool start_apart(std::vector<std::string> words) {
  const pid_t pid = spawn(std::move(words), POSIX_SPAWN_SETSID);
  if (pid < 0) return false;
  std::thread([pid] { waitpid(pid, nullptr, 0); }).detach();
  return true;
}

}  // namespace dispersion

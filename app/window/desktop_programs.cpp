#include "app/window/desktop_programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "app/window/programs.h"

extern char** environ;

namespace dispersion {
namespace {

// Starts xdg-open in a session of its own, so that what it starts outlives this program. Returns
// false where it cannot be started.
bool start_opening(std::string path) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // The signals that end this program may be blocked here (app/commands/interrupt.h).
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::string program = "xdg-open";
  char* arguments[] = {program.data(), path.data(), nullptr};
  pid_t pid = -1;
  const bool started =
      posix_spawnp(&pid, program.c_str(), &actions, &attributes, arguments, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  // It may stay for as long as the file manager does.
  if (started) std::thread([pid] { waitpid(pid, nullptr, 0); }).detach();
  return started;
}

}  // namespace

std::string open_folder(const std::filesystem::path& folder) {
  if (in_path("xdg-open") && start_opening(folder.string())) return "";
  return "No program here opens folders (xdg-open does it on most desktops). The folder is " +
         folder.string();
}

}  // namespace dispersion

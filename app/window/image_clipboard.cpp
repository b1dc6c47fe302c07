#include "app/window/image_clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

extern char** environ;

namespace dispersion {
namespace {

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

// A program that reads from a pipe.
struct Child {
  pid_t pid = -1;  // -1: it could not be started
  int input = -1;  // our end of the pipe
};

Child start(std::vector<std::string> words) {
  Child child;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return child;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // The signals that end this program may be blocked here (app/commands/interrupt.h).
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (posix_spawnp(&child.pid, arguments.front(), &actions, &attributes, arguments.data(),
                   environ) != 0)
    child.pid = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  child.input = ends[1];
  return child;
}

// Writes the bytes to the program and waits for its end. Both xclip and wl-copy leave a background
// process that serves other programs, and the process that was started ends. Sets `pid` to 0 before
// that process is reaped, since afterwards the number may belong to another.
void feed(const Child& child, const std::string& bytes, std::atomic<pid_t>& pid) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = write(child.input, bytes.data() + sent, bytes.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) break;
    sent += static_cast<std::size_t>(now);
  }
  close(child.input);
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(child.pid), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  pid = 0;
  waitpid(child.pid, nullptr, 0);
}

class ProgramClipboard : public ImageClipboard {
 public:
  explicit ProgramClipboard(std::vector<std::string> words) : words_(std::move(words)) {
    // Otherwise a program that ends before it has read everything would end this one, too.
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~ProgramClipboard() override { end_feeding(); }

  bool put(const std::shared_ptr<const std::string>& png) override {
    end_feeding();
    const Child child = start(words_);
    if (child.pid < 0) {
      if (child.input >= 0) close(child.input);
      return false;
    }
    pid_ = child.pid;
    feeder_ = std::jthread([this, child, png] { feed(child, *png, pid_); });
    return true;
  }

 private:
  // Ends the copy before, which is still going on only if its program hangs.
  void end_feeding() {
    const pid_t pid = pid_;
    if (pid > 0) kill(pid, SIGTERM);
    if (feeder_.joinable()) feeder_.join();
  }

  std::vector<std::string> words_;
  std::atomic<pid_t> pid_{0};
  std::jthread feeder_;
};

std::unique_ptr<ImageClipboard> clipboard_of(std::vector<std::string> words) {
  if (!in_path(words.front())) return nullptr;
  return std::make_unique<ProgramClipboard>(std::move(words));
}

}  // namespace

std::unique_ptr<ImageClipboard> x11_image_clipboard() {
  return clipboard_of({"xclip", "-selection", "clipboard", "-t", "image/png", "-i"});
}

std::unique_ptr<ImageClipboard> wayland_image_clipboard() {
  return clipboard_of({"wl-copy", "--type", "image/png"});
}

std::unique_ptr<ImageClipboard> desktop_image_clipboard() {
  switch (glfwGetPlatform()) {
    case GLFW_PLATFORM_X11:
      return x11_image_clipboard();
    case GLFW_PLATFORM_WAYLAND:
      return wayland_image_clipboard();
    default:
      return nullptr;
  }
}

}  // namespace dispersion

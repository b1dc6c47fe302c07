#include "app/window/image_clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "app/window/programs.h"

namespace dispersion {
namespace {

// Writes the bytes to the program and waits for its end. Both xclip and wl-copy leave a background
// process that serves other programs, and the process that was started ends. Sets `pid` to 0 before
// that process is reaped, since afterwards the number may belong to another.
void feed(const ChildProgram& child, const std::string& bytes, std::atomic<pid_t>& pid) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = write(child.pipe, bytes.data() + sent, bytes.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) break;
    sent += static_cast<std::size_t>(now);
  }
  close(child.pipe);
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
    const ChildProgram child = start_program(words_, PipeEnd::kInput);
    if (child.pid < 0) {
      if (child.pipe >= 0) close(child.pipe);
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

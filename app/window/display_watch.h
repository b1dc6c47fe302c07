#pragma once

#include <functional>

struct GLFWwindow;

namespace dispersion {

// Notices what GLFW does not tell of an X11 display: that another program has destroyed the window,
// and that the connection is lost (the server has ended, or was told to close it). Xlib calls back
// without saying for whom, so there is one watch per process at a time. Errors of X11 requests,
// which would end the process by default, are passed over.
class DisplayWatch {
 public:
  // `lost` is called on the thread that uses the display; the process ends with 1 when it returns.
  DisplayWatch(GLFWwindow* window, std::function<void()> lost);
  ~DisplayWatch();
  DisplayWatch(const DisplayWatch&) = delete;
  DisplayWatch& operator=(const DisplayWatch&) = delete;

  bool destroyed() const { return destroyed_; }

 private:
  struct Callbacks;  // those of Xlib

  unsigned long window_;  // its X11 name
  std::function<void()> lost_;
  bool destroyed_ = false;
};

}  // namespace dispersion

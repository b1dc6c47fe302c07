#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/window/display_watch.h"
#include "app/window/keyboard.h"
#include "app/window/window_place.h"

struct GLFWwindow;

namespace dispersion {

// The window or its OpenGL context could not be made. The message is one line that says why, and
// how to do the work without a window.
class WindowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Size {
  int width = 0;
  int height = 0;

  bool empty() const { return width <= 0 || height <= 0; }
  bool operator==(const Size&) const = default;
};

enum class WindowPlatform {
  kDesktop,   // X11 or Wayland, whichever answers
  kHeadless,  // GLFW's null platform with an EGL context: renders with no display, for tests
};

struct WindowOptions {
  std::string title = "Dispersion Lab";
  Size size = {1440, 900};  // logical pixels, before the display's own scale
  // Where it was when the program ended, in the units of the desktop; it comes back there, or to
  // the nearest place that can be seen. Nothing: where the desktop puts it.
  std::optional<ScreenRect> place = std::nullopt;
  WindowPlatform platform = WindowPlatform::kDesktop;
};

// One GLFW window with an OpenGL 3.3 core context that is current on the thread that made it. All
// functions but wake() and close() belong to that thread. There is one window per process at a
// time.
class Window {
 public:
  explicit Window(const WindowOptions& options);  // throws WindowError
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Handles the pending events.
  void poll();
  // Sleeps until there is an event, until wake(), or for `seconds`; then handles the events.
  void wait(double seconds);
  // Ends a wait, from any thread.
  void wake();
  // Whether any event has come since the last call.
  bool take_input();
  // Passes keys and characters on to this keyboard from now on; null: to none. Takes the place of
  // other callbacks of keys.
  void send_keys_to(Keyboard* keyboard);

  // Also once another program has destroyed the window.
  bool should_close() const;
  void close();  // from any thread
  // Called on the window's thread when the connection to the display is lost. Nothing can be drawn
  // any more, and the process ends with 1 as soon as it returns.
  std::function<void()> on_display_lost;
  bool drawable() const;  // not iconified and not of size 0
  Size size() const;      // in window units, in which the mouse is measured
  Size framebuffer() const;
  void resize(Size size);
  // Where the window is, or would be without full screen; nothing while it is iconified or
  // maximised, and where the desktop does not tell, as on Wayland.
  std::optional<ScreenRect> place() const;
  // Puts the window where it can be seen as a whole, at this size (window units).
  void reset_place(Size size);
  // Whether it fills the screen, and lets it do so, or be where it was before.
  bool full_screen() const;
  void set_full_screen(bool full);
  // Its size without full screen.
  Size windowed_size() const;
  // The files that were dropped on the window since the last call.
  std::vector<std::filesystem::path> take_dropped();
  // How many units of size() a logical pixel takes on this display: 2 on X11 with a display of
  // double density, 1 on Wayland, where the compositor scales.
  float content_scale() const;
  // On the null platform, whose screen has a scale of 1: as if it had been moved to another one.
  void pretend_scale(float scale) { pretended_scale_ = scale; }
  void swap();
  double now() const;  // seconds, steady

  GLFWwindow* handle() const { return window_; }

 private:
  // The callback of all events.
  template <class... Arguments>
  static void note_event(GLFWwindow* window, Arguments...);
  static void key_event(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void character_event(GLFWwindow* window, unsigned int character, int mods);
  static void drop_event(GLFWwindow* window, int count, const char** paths);
  HeldModifiers held_modifiers() const;
  void install_callbacks();

  struct Library;  // calls glfwInit and glfwTerminate
  std::unique_ptr<Library> library_;
  GLFWwindow* window_ = nullptr;
  std::unique_ptr<DisplayWatch> display_;  // null where there is no X11 display
  Keyboard* keyboard_ = nullptr;
  bool headless_ = false;
  float pretended_scale_ = 1;
  ScreenRect windowed_;  // where it was before full screen
  std::atomic<bool> close_asked_ = false;
  bool input_ = true;
  std::vector<std::filesystem::path> dropped_;
  // For wait() on the null platform, where glfwWaitEvents does not sleep.
  std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_asked_ = false;
};

}  // namespace dispersion

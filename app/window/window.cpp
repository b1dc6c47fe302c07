#include "app/window/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/palette/palette.h"

namespace dispersion {
namespace {

constexpr std::string_view kWithoutWindow =
    "; the same work without a window: dispersion_lab headless";

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

std::string glfw_reason() {
  const char* text = nullptr;
  return glfwGetError(&text) == GLFW_NO_ERROR || text == nullptr ? "no reason given" : text;
}

[[noreturn]] void fail(const std::string& what) {
  throw WindowError(what + std::string(kWithoutWindow));
}

// Wayland is tried only where its socket can be found, because its library otherwise writes
// messages of its own to standard error.
int display_platform() {
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const bool has_wayland =
      is_set("WAYLAND_DISPLAY") && (*wayland == '/' || is_set("XDG_RUNTIME_DIR"));
  if (is_set("DISPLAY")) return has_wayland ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11;
  if (has_wayland) return GLFW_PLATFORM_WAYLAND;
  fail(is_set("WAYLAND_DISPLAY") ? "the display cannot be opened (WAYLAND_DISPLAY is set, but "
                                   "XDG_RUNTIME_DIR, where its socket lies, is not)"
                                 : "no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
}

// The size, reduced to the work area of the first monitor if there is one.
Size fit_to_monitor(Size size) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return size;
  Size area;
  glfwGetMonitorWorkarea(monitor, nullptr, nullptr, &area.width, &area.height);
  if (area.empty()) return size;
  return {std::min(size.width, area.width), std::min(size.height, area.height)};
}

std::vector<ScreenRect> work_areas() {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  std::vector<ScreenRect> areas;
  for (int i = 0; i < count; ++i) {
    ScreenRect& area = areas.emplace_back();
    glfwGetMonitorWorkarea(monitors[i], &area.x, &area.y, &area.width, &area.height);
  }
  return areas;
}

// The monitor on which most of this place is; the first one where none of it is on any, and null
// where there is no monitor.
GLFWmonitor* monitor_of(const ScreenRect& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int most = 0;
  for (int i = 0; i < count; ++i) {
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    if (mode == nullptr) continue;
    ScreenRect screen = {0, 0, mode->width, mode->height};
    glfwGetMonitorPos(monitors[i], &screen.x, &screen.y);
    const int across =
        std::min(place.x + place.width, screen.x + screen.width) - std::max(place.x, screen.x);
    const int down =
        std::min(place.y + place.height, screen.y + screen.height) - std::max(place.y, screen.y);
    const int area = std::max(across, 0) * std::max(down, 0);
    if (area <= most) continue;
    most = area;
    best = monitors[i];
  }
  return best;
}

// Wayland's compositor alone decides where a window is.
bool has_places() {
  return glfwGetPlatform() != GLFW_PLATFORM_WAYLAND;
}

void put_at(GLFWwindow* window, const std::optional<ScreenRect>& wanted) {
  if (!wanted || !has_places()) return;
  const std::optional<ScreenRect> place = visible_place(*wanted, work_areas());
  if (!place) return;
  glfwSetWindowSize(window, place->width, place->height);
  glfwSetWindowPos(window, place->x, place->y);
}

void set_hints(WindowPlatform platform) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SRGB_CAPABLE, GLFW_FALSE);
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "dispersion-lab");
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "dispersion-lab");
  if (platform == WindowPlatform::kHeadless) {
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
  } else {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  }
}

// The icon has 8 x 8 cells. In pixels:
constexpr int kIconSide = 64;
constexpr int kIconCell = 8;

// The attention weight in a cell of the icon: sharp in the upper half, and more dispersed with
// every row of the lower half.
double icon_weight(int row, int column) {
  const double width = row < 4 ? 0.6 : 0.6 + 1.6 * (row - 3);
  return std::exp(-(7 - column) / width) / (row < 4 ? 1.0 : 1.0 + 0.35 * (row - 3));
}

// Draws the program's icon, so that it needs no file. Only X11 has window icons.
void set_window_icon(GLFWwindow* window) {
  if (glfwGetPlatform() != GLFW_PLATFORM_X11) return;
  std::vector<unsigned char> pixels(static_cast<std::size_t>(kIconSide) * kIconSide * 4);
  for (int y = 0; y < kIconSide; ++y) {
    for (int x = 0; x < kIconSide; ++x) {
      const Colour colour = viridis(std::sqrt(icon_weight(y / kIconCell, x / kIconCell)));
      unsigned char* pixel = &pixels[(static_cast<std::size_t>(y) * kIconSide + x) * 4];
      pixel[0] = colour.red;
      pixel[1] = colour.green;
      pixel[2] = colour.blue;
      pixel[3] = 255;
    }
  }
  const GLFWimage image = {kIconSide, kIconSide, pixels.data()};
  glfwSetWindowIcon(window, 1, &image);
}

}  // namespace

struct Window::Library {
  explicit Library(WindowPlatform platform) {
    const bool headless = platform == WindowPlatform::kHeadless;
    glfwInitHint(GLFW_PLATFORM, headless ? GLFW_PLATFORM_NULL : display_platform());
    if (glfwInit() != GLFW_TRUE) fail("the display cannot be opened (" + glfw_reason() + ")");
    if (!headless && glfwGetPlatform() == GLFW_PLATFORM_NULL) {
      glfwTerminate();
      fail("the display cannot be opened (neither X11 nor Wayland answers)");
    }
  }
  ~Library() { glfwTerminate(); }
};

Window::Window(const WindowOptions& options)
    : library_(std::make_unique<Library>(options.platform)),
      headless_(options.platform == WindowPlatform::kHeadless) {
  set_hints(options.platform);
  const Size size = headless_ ? options.size : fit_to_monitor(options.size);
  window_ = glfwCreateWindow(size.width, size.height, options.title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) {
    fail("no window with OpenGL 3.3 can be made (" + glfw_reason() +
         "); LIBGL_ALWAYS_SOFTWARE=1 draws without the graphics card");
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(0);  // frames are paced by FramePacer, so that a hidden window cannot block
  glfwSetWindowUserPointer(window_, this);
  if (!headless_) glfwSetWindowSizeLimits(window_, 240, 160, GLFW_DONT_CARE, GLFW_DONT_CARE);
  set_window_icon(window_);
  put_at(window_, options.place);
  install_callbacks();
  if (glfwGetPlatform() == GLFW_PLATFORM_X11) {
    display_ = std::make_unique<DisplayWatch>(window_, [this] {
      if (on_display_lost) on_display_lost();
    });
  }
}

Window::~Window() {
  if (window_ != nullptr) glfwDestroyWindow(window_);
}

template <class... Arguments>
void Window::note_event(GLFWwindow* window, Arguments...) {
  static_cast<Window*>(glfwGetWindowUserPointer(window))->input_ = true;
}

// Dear ImGui installs its callbacks later, and they call these.
void Window::install_callbacks() {
  glfwSetCursorPosCallback(window_, note_event);
  glfwSetCursorEnterCallback(window_, note_event);
  glfwSetMouseButtonCallback(window_, note_event);
  glfwSetScrollCallback(window_, note_event);
  glfwSetKeyCallback(window_, note_event);
  glfwSetCharCallback(window_, note_event);
  glfwSetWindowFocusCallback(window_, note_event);
  glfwSetWindowRefreshCallback(window_, note_event);
  glfwSetWindowIconifyCallback(window_, note_event);
  glfwSetWindowCloseCallback(window_, note_event);
  glfwSetFramebufferSizeCallback(window_, note_event);
  glfwSetWindowContentScaleCallback(window_, note_event);
  glfwSetDropCallback(window_, drop_event);
}

HeldModifiers Window::held_modifiers() const {
  const auto held = [this](int left, int right) {
    return glfwGetKey(window_, left) == GLFW_PRESS || glfwGetKey(window_, right) == GLFW_PRESS;
  };
  return {held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
          held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT),
          held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER)};
}

namespace {

// A key for a line feed, for which GLFW has no name. Few keyboards have it, but tools that type use
// it at the end of a line. Its number is the same on all X servers of today.
constexpr int kLineFeedOnX11 = 109;

int named_key(int key, int scancode) {
  const bool line_feed = key == GLFW_KEY_UNKNOWN && scancode == kLineFeedOnX11 &&
                         glfwGetPlatform() == GLFW_PLATFORM_X11;
  return line_feed ? GLFW_KEY_ENTER : key;
}

}  // namespace

void Window::key_event(GLFWwindow* window, int key, int scancode, int action, int) {
  note_event(window);
  key = named_key(key, scancode);
  const Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
  if (self.keyboard_ == nullptr) return;
  const char* name = glfwGetKeyName(key, scancode);
  self.keyboard_->key(key, name == nullptr ? "" : name,
                      action == GLFW_PRESS    ? Keyboard::Action::kPress
                      : action == GLFW_REPEAT ? Keyboard::Action::kRepeat
                                              : Keyboard::Action::kRelease,
                      self.held_modifiers());
}

void Window::character_event(GLFWwindow* window, unsigned int character, int) {
  note_event(window);
  const Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
  if (self.keyboard_ != nullptr) self.keyboard_->character(character, self.held_modifiers());
}

void Window::drop_event(GLFWwindow* window, int count, const char** paths) {
  note_event(window);
  Window& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
  self.dropped_.insert(self.dropped_.end(), paths, paths + count);
}

void Window::send_keys_to(Keyboard* keyboard) {
  keyboard_ = keyboard;
  glfwSetKeyCallback(window_, key_event);
  // The only callback that tells which character comes with Ctrl held.
  glfwSetCharModsCallback(window_, character_event);
}

void Window::poll() {
  glfwPollEvents();
}

void Window::wait(double seconds) {
  if (!headless_) {
    glfwWaitEventsTimeout(std::max(seconds, 1e-4));
    return;
  }
  {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return wake_asked_; });
    wake_asked_ = false;
  }
  glfwPollEvents();
}

void Window::wake() {
  if (!headless_) {
    glfwPostEmptyEvent();
    return;
  }
  {
    std::lock_guard lock(mutex_);
    wake_asked_ = true;
  }
  woken_.notify_one();
}

bool Window::take_input() {
  return std::exchange(input_, false);
}

bool Window::should_close() const {
  return close_asked_ || (display_ && display_->destroyed()) ||
         glfwWindowShouldClose(window_) == GLFW_TRUE;
}

void Window::close() {
  close_asked_ = true;
  wake();
}

bool Window::drawable() const {
  if (display_ && display_->destroyed()) return false;
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_FALSE && !size().empty() &&
         !framebuffer().empty();
}

Size Window::size() const {
  Size size;
  glfwGetWindowSize(window_, &size.width, &size.height);
  return size;
}

Size Window::framebuffer() const {
  Size size;
  glfwGetFramebufferSize(window_, &size.width, &size.height);
  return size;
}

void Window::resize(Size size) {
  glfwSetWindowSize(window_, size.width, size.height);
}

std::optional<ScreenRect> Window::place() const {
  if (!drawable() || !has_places() || glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE)
    return std::nullopt;
  if (full_screen()) return windowed_;
  ScreenRect place;
  glfwGetWindowPos(window_, &place.x, &place.y);
  glfwGetWindowSize(window_, &place.width, &place.height);
  return place;
}

bool Window::full_screen() const {
  return glfwGetWindowMonitor(window_) != nullptr;
}

void Window::set_full_screen(bool full) {
  if (full == full_screen()) return;
  if (!full) {
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width,
                         windowed_.height, GLFW_DONT_CARE);
    return;
  }
  if (has_places()) glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
  GLFWmonitor* monitor = monitor_of(windowed_);
  const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  if (mode == nullptr) return;  // no screen to fill
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Size Window::windowed_size() const {
  return full_screen() ? Size{windowed_.width, windowed_.height} : size();
}

void Window::reset_place(Size size) {
  set_full_screen(false);
  glfwRestoreWindow(window_);
  resize(size);
  const std::vector<ScreenRect> areas = work_areas();
  if (areas.empty()) return;
  const ScreenRect& area = areas.front();
  put_at(window_, ScreenRect{area.x + std::max(0, (area.width - size.width) / 2),
                             area.y + std::max(0, (area.height - size.height) / 2),
                             std::min(size.width, area.width), std::min(size.height, area.height)});
}

std::vector<std::filesystem::path> Window::take_dropped() {
  return std::exchange(dropped_, {});
}

float Window::content_scale() const {
  float display = pretended_scale_;
  if (!headless_) glfwGetWindowContentScale(window_, &display, nullptr);
  const Size units = size();
  const Size pixels = framebuffer();
  if (units.empty() || pixels.empty()) return 1;
  const float compositor = static_cast<float>(pixels.width) / static_cast<float>(units.width);
  return std::clamp(display / compositor, 0.5F, 4.0F);
}

void Window::swap() {
  glfwSwapBuffers(window_);
}

double Window::now() const {
  return glfwGetTime();
}

}  // namespace dispersion

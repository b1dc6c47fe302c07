#include "app/window/display_watch.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#define GLFW_INCLUDE_NONE
#define GLFW_EXPOSE_NATIVE_X11
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>
#include <X11/Xlibint.h>

namespace dispersion {
namespace {

using FromWire = Bool (*)(Display*, XEvent*, xEvent*);

// Xlib's callbacks carry no data of their own.
DisplayWatch* watch = nullptr;
FromWire destroy_from_wire = nullptr;

}  // namespace

struct DisplayWatch::Callbacks {
  static int on_error(Display*, XErrorEvent* error) {
    if (watch != nullptr && error->resourceid == watch->window_) watch->destroyed_ = true;
    return 0;
  }

  // Xlib ends the process when this returns.
  static int on_lost(Display*) {
    std::fputs("dispersion_lab: the connection to the display is lost\n", stderr);
    if (watch != nullptr && watch->lost_) watch->lost_();
    ::_exit(1);
  }

  // GLFW leaves out the news that a window is destroyed; they are seen here on their way to it.
  static Bool on_destroyed(Display* display, XEvent* event, xEvent* wire) {
    if (watch != nullptr && wire->u.destroyNotify.window == watch->window_)
      watch->destroyed_ = true;
    return destroy_from_wire(display, event, wire);
  }
};

DisplayWatch::DisplayWatch(GLFWwindow* window, std::function<void()> lost)
    : window_(glfwGetX11Window(window)), lost_(std::move(lost)) {
  watch = this;
  XSetErrorHandler(Callbacks::on_error);
  XSetIOErrorHandler(Callbacks::on_lost);
  destroy_from_wire = XESetWireToEvent(glfwGetX11Display(), DestroyNotify, Callbacks::on_destroyed);
}

// The handlers stay, since the display is still used while it is closed.
DisplayWatch::~DisplayWatch() {
  watch = nullptr;
}

}  // namespace dispersion

#include "app/window/image_clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace dispersion {

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

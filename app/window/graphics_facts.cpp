#include "app/window/graphics_facts.h"

#include <imgui_impl_opengl3_loader.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace dispersion {
namespace {

std::string gl_text(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

std::string window_system() {
  switch (glfwGetPlatform()) {
    case GLFW_PLATFORM_X11:
      return "X11";
    case GLFW_PLATFORM_WAYLAND:
      return "Wayland";
    default:
      return "none";
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> graphics_facts() {
  return {{"OpenGL renderer", gl_text(GL_RENDERER)},
          {"OpenGL version", gl_text(GL_VERSION)},
          {"OpenGL vendor", gl_text(GL_VENDOR)},
          {"window system", std::string(window_system()) + ", GLFW " + glfwGetVersionString()}};
}

}  // namespace dispersion

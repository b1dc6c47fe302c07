#include "app/window/gui_context.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_opengl3_loader.h>
#include <imgui_internal.h>

namespace dispersion {

GuiContext::GuiContext(Window& window) : window_(window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep an idle window awake
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyNext = 0;  // there is one window
  ImGui::GetCurrentContext()->ConfigNavWindowingKeyPrev = 0;
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    throw WindowError("OpenGL 3.3 cannot be used on this display");
  }
  window_.send_keys_to(&keyboard_);
  fonts_ = add_embedded_fonts();
}

GuiContext::~GuiContext() {
  window_.send_keys_to(nullptr);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void GuiContext::begin_frame(Theme theme, float scale) {
  theme_ = theme;
  apply_theme(theme, scale);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void GuiContext::end_frame() {
  ImGui::Render();
  const Size size = window_.framebuffer();
  const ImVec4 background = colour(palette(theme_).background);
  glViewport(0, 0, size.width, size.height);
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool GuiContext::input_waits() const {
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

}  // namespace dispersion

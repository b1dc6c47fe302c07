#pragma once

#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <memory>
#include <string>

#include "app/panels/lab.h"

namespace dispersion {

// The real window, panels and worker on GLFW's null platform, with Dear ImGui Test Engine at the
// mouse and the keyboard.
class GuiDriver {
 public:
  explicit GuiDriver(Size size = {1600, 1000}, std::filesystem::path preferences = {},
                     BackendSource backends = {});
  ~GuiDriver();
  GuiDriver(const GuiDriver&) = delete;
  GuiDriver& operator=(const GuiDriver&) = delete;

  // Runs frames while the script acts. Fails the current test when an item is not found or a
  // condition is not reached.
  void run(const std::function<void(ImGuiTestContext*)>& script);

  // For scripts: lets frames pass until the condition holds; false when it does not within
  // `seconds`.
  bool wait_for(ImGuiTestContext* context, const std::function<bool()>& condition,
                double seconds = 60);
  // Until the run that was just begun trains and has done so many steps. (The head before it, which
  // stands until the worker has heard, has done more.)
  bool trains_to(ImGuiTestContext* context, std::int64_t step, double seconds = 60);
  // Until the picture is of the settings and the step that the app state has.
  bool wait_for_picture(ImGuiTestContext* context, double seconds = 60);
  // For scripts: the next frame as it is drawn.
  Picture grab(ImGuiTestContext* context);

  // The number shown beside a label: its exact text; "" when there is none.
  std::string shown(const std::string& section, const std::string& label) const;

  Lab& lab() { return *lab_; }
  AppState& app() { return lab_->app(); }
  // Closes the window the way the user does and destroys everything behind it.
  void close();

 private:
  std::unique_ptr<Lab> lab_;
  ImGuiTestEngine* engine_ = nullptr;
  int tests_ = 0;
};

}  // namespace dispersion

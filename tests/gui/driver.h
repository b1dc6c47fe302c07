#pragma once

#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/panels/lab.h"

namespace dispersion {

// Runs the real window, panels and worker on GLFW's null platform, while Dear ImGui Test Engine
// moves the mouse and presses the keys.
class GuiDriver {
 public:
  explicit GuiDriver(Size size = {1600, 1000}, std::filesystem::path preferences = {},
                     BackendSource backends = {}, RunKeeping keeping = {},
                     std::filesystem::path recent_files = {});
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
  // Waits until the run that was just begun is training and has done this many steps. (Until the
  // worker reports it, the app state has the step of the head before, which may be larger.)
  bool trains_to(ImGuiTestContext* context, std::int64_t step, double seconds = 60);
  // Waits until the heat maps show the settings and the training step of the app state.
  bool wait_for_picture(ImGuiTestContext* context, double seconds = 60);
  // For scripts: the pixels of the next frame.
  Picture grab(ImGuiTestContext* context);

  // The exact text of the number that is shown beside this label; "" when there is none.
  std::string shown(const std::string& section, const std::string& label) const;

  Lab& lab() { return *lab_; }
  AppState& app() { return lab_->app(); }
  // Closes the window the way the user does and destroys everything behind it.
  void close();

 private:
  // Every frame is put together, but without a graphics card painting it takes most of its time: of
  // those that nobody looks at one in eight is painted.
  void leave_unpainted();

  std::unique_ptr<Lab> lab_;
  ImGuiTestEngine* engine_ = nullptr;
  int tests_ = 0;
  std::uint64_t frames_ = 0;
};

}  // namespace dispersion

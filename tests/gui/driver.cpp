#include "tests/gui/driver.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <imgui_te_coroutine.h>

#include <chrono>
#include <string>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/session/head_name.h"

namespace dispersion {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

GuiDriver::GuiDriver(Size size, std::filesystem::path preferences, BackendSource backends,
                     RunKeeping keeping, std::filesystem::path recent_files) {
  LabOptions options;
  options.platform = WindowPlatform::kHeadless;
  options.size = size;
  options.preferences = std::move(preferences);
  options.keeping = std::move(keeping);
  options.recent_files = std::move(recent_files);
  options.shipped = shipped_data();
  if (!backends.make) backends = window_backends();
  Checkpoint head = load_head({}).checkpoint;
  options.earlier = head_history({}, head);
  const std::string source = shipped_head_text(head.state);
  lab_ = std::make_unique<Lab>(options, std::move(backends), std::move(head), source);
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigSavedSettings = false;
  io.ConfigMouseDrawCursor = false;
  io.ConfigLogToTTY = true;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigWatchdogWarning = 300;
  io.ConfigWatchdogKillTest = 300;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
  ImGuiContextHook put_together;
  put_together.Type = ImGuiContextHookType_RenderPost;
  put_together.UserData = this;
  put_together.Callback = [](ImGuiContext*, ImGuiContextHook* hook) {
    static_cast<GuiDriver*>(hook->UserData)->leave_unpainted();
  };
  ImGui::AddContextHook(ImGui::GetCurrentContext(), &put_together);
  // Dear ImGui recovers from some wrong calls; here they fail the test.
  ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void*, const char* message) {
    ADD_FAILURE() << message;
  };
}

GuiDriver::~GuiDriver() {
  close();
}

void GuiDriver::close() {
  if (!lab_) return;
  ImGuiTestEngine_Stop(engine_);
  lab_->window().close();
  lab_.reset();
  ImGuiTestEngine_DestroyContext(engine_);
}

void GuiDriver::leave_unpainted() {
  constexpr std::uint64_t kPainted = 8;
  if (lab_->after_drawing || ++frames_ % kPainted == 0) return;
  ImDrawData* drawn = ImGui::GetDrawData();
  drawn->CmdLists.resize(0);
  drawn->TotalVtxCount = drawn->TotalIdxCount = 0;
}

void GuiDriver::run(const std::function<void(ImGuiTestContext*)>& script) {
  const std::string name = "script " + std::to_string(++tests_);
  ImGuiTest* test = IM_REGISTER_TEST(engine_, "gui", "script");
  test->SetOwnedName(name.c_str());
  test->TestFunc = script;
  ImGuiTestEngine_QueueTest(engine_, test);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    lab_->frame();
    ImGuiTestEngine_PostSwap(engine_);
    lab_->window().wait(0.002);  // the worker needs the processor too
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success);
}

bool GuiDriver::wait_for(ImGuiTestContext* context, const std::function<bool()>& condition,
                         double seconds) {
  const double end = seconds_now() + seconds;
  while (!condition()) {
    if (seconds_now() > end) return false;
    context->Yield();
  }
  return true;
}

bool GuiDriver::trains_to(ImGuiTestContext* context, std::int64_t step, double seconds) {
  return wait_for(
      context,
      [&] { return app().status.phase == RunPhase::kTraining && app().status.step >= step; },
      seconds);
}

bool GuiDriver::wait_for_picture(ImGuiTestContext* context, double seconds) {
  context->Yield(2);
  return wait_for(
      context,
      [this] {
        return app().snapshot && app().snapshot->complete && !app().stale() &&
               app().snapshot->step == app().status.step;
      },
      seconds);
}

Picture GuiDriver::grab(ImGuiTestContext* context) {
  Picture picture;
  context->Yield(2);
  lab_->after_drawing = [&] { picture = grab_frame(lab_->window().framebuffer()); };
  context->Yield(2);
  lab_->after_drawing = nullptr;
  return picture;
}

std::string GuiDriver::shown(const std::string& section, const std::string& label) const {
  for (const CopyableValue& value : lab_->panels().painter.values) {
    if (value.section == section && value.label == label) return value.exact;
  }
  return "";
}

}  // namespace dispersion

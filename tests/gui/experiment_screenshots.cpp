// Screenshots of the views of the experiments.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

std::string file_name(View view) {
  std::string name = "view_";
  for (const char letter : view_title(view))
    name += letter == ' ' ? '_' : static_cast<char>(letter | 0x20);
  return name;
}

void open_view(GuiDriver& driver, ImGuiTestContext* context, View view) {
  driver.app().view.view = view;
  context->MouseMoveToPos({1250, 985});
  IM_CHECK(driver.wait_for(context, [&] {
    const ExperimentState& experiment = driver.app().experiments.of(view);
    return experiment.update.phase == ExperimentPhase::kDone ||
           experiment.update.phase == ExperimentPhase::kFailed;
  }));
}

TEST(ExperimentScreenshots, Views) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
    driver.app().experiment_settings.of(kTableView).set("sets", 256);
    for (const View view : window_views()) {
      if (view == View::kAttention) continue;
      driver.app().view.theme = static_cast<int>(view) % 2 == 0 ? Theme::kLight : Theme::kDark;
      open_view(driver, context, view);
      write(file_name(view), driver.grab(context), kWindowSize);
    }
    open_view(driver, context, kSurfaceView);
    driver.app().view.theme = Theme::kLight;
    driver.app().view.surfaces = true;
    write("surfaces_3d", driver.grab(context), kWindowSize);
    driver.app().experiment_settings.of(kSurfaceView).set("logits", std::string_view("head"));
    driver.app().view.theme = Theme::kDark;
    context->Yield(60);
    IM_CHECK(driver.wait_for(context, [&] {
      const ExperimentState& experiment = driver.app().experiments.of(kSurfaceView);
      return experiment.update.phase == ExperimentPhase::kDone && !experiment.stale;
    }));
    write("surface_of_head", driver.grab(context), kWindowSize);
    driver.app().view.surfaces = false;
    write("heat_map_of_head", driver.grab(context), kWindowSize);
    context->ItemClick("**/Theory");
    write("views_menu", driver.grab(context), kWindowSize);
  });
}

TEST(ExperimentScreenshots, WhileBeingComputed) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    // The program holds stored results for its default number of sets; these have to be computed.
    driver.app().experiment_settings.of(kTableView).set("sets", 8192);
    driver.app().view.view = kTableView;
    IM_CHECK(driver.wait_for(context, [&] {
      const ExperimentState& experiment = driver.app().experiments.of(kTableView);
      return experiment.result != nullptr && experiment.update.share > 0.1 &&
             (experiment.update.seconds_left > 0 ||
              experiment.update.phase == ExperimentPhase::kDone);
    }));
    write("table_filling", driver.grab(context), kWindowSize);
  });
}

TEST(ExperimentScreenshots, FailureAndFirstMoment) {
  GuiDriver driver(kWindowSize);
  driver.app().experiments.make_request =
      synthetic_requests(std::make_shared<std::atomic<bool>>(false));
  driver.run([&](ImGuiTestContext* context) {
    open_view(driver, context, kDepthView);
    write("experiment_failed", driver.grab(context), kWindowSize);
  });
}

TEST(ExperimentScreenshots, OtherSizes) {
  GuiDriver driver({1280, 720});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
    driver.app().view.ui_scale = 3;
    open_view(driver, context, kFitView);
    write("fit_three_times", driver.grab(context), {1280, 720});
    context->ItemClick("**/Settings");
    write("fit_three_times_settings", driver.grab(context), {1280, 720});
    driver.app().view.ui_scale = 1;
    driver.lab().window().resize({640, 420});
    context->ItemClick("**/Figure");
    open_view(driver, context, kBoundsView);
    write("bounds_small", driver.grab(context), {640, 420});
    driver.lab().window().resize({1000, 700});
    open_view(driver, context, kStreamingView);
    write("streaming_medium", driver.grab(context), {1000, 700});
  });
}

}  // namespace
}  // namespace dispersion

// Pictures of the studies' views.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"
#include "tests/gui/synthetic_study.h"

namespace dispersion {
namespace {

constexpr Size kDesk = {1600, 1000};

std::string file_name(View view) {
  std::string name = "view_";
  for (const char letter : view_name(view).name)
    name += letter == ' ' ? '_' : static_cast<char>(letter | 0x20);
  return name;
}

void open_view(GuiDriver& driver, ImGuiTestContext* context, View view) {
  driver.app().view.view = view;
  context->MouseMoveToPos({1250, 985});
  IM_CHECK(driver.wait_for(context, [&] {
    const StudyState& study = driver.app().studies.of(view);
    return study.news.phase == StudyPhase::kDone || study.news.phase == StudyPhase::kFailed;
  }));
}

TEST(StudyScreenshots, Views) {
  GuiDriver driver(kDesk);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
    driver.app().study_settings.table.sets = 256;
    for (const View view : {View::kTable, View::kFit, View::kSurfaces, View::kBounds, View::kSpread,
                            View::kDepth, View::kStreaming, View::kPrecision}) {
      driver.app().view.theme = static_cast<int>(view) % 2 == 0 ? Theme::kLight : Theme::kDark;
      open_view(driver, context, view);
      write(file_name(view), driver.grab(context), kDesk);
    }
    open_view(driver, context, View::kSurfaces);
    driver.app().view.theme = Theme::kLight;
    driver.app().view.surfaces = true;
    write("surfaces_3d", driver.grab(context), kDesk);
    driver.app().study_settings.surface.of_head = true;
    driver.app().view.theme = Theme::kDark;
    context->Yield(60);
    IM_CHECK(driver.wait_for(context, [&] {
      const StudyState& study = driver.app().studies.of(View::kSurfaces);
      return study.news.phase == StudyPhase::kDone && !study.stale;
    }));
    write("surface_of_head", driver.grab(context), kDesk);
    driver.app().view.surfaces = false;
    write("heat_map_of_head", driver.grab(context), kDesk);
    context->ItemClick("**/Theory");
    write("views_menu", driver.grab(context), kDesk);
  });
}

TEST(StudyScreenshots, WhileBeingComputed) {
  GuiDriver driver(kDesk);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().study_settings.table.sets = 8192;  // not those inside the program
    driver.app().view.view = View::kTable;
    IM_CHECK(driver.wait_for(context, [&] {
      const StudyState& study = driver.app().studies.of(View::kTable);
      return study.result != nullptr && study.news.share > 0.1 &&
             (study.news.seconds_left > 0 || study.news.phase == StudyPhase::kDone);
    }));
    write("table_filling", driver.grab(context), kDesk);
  });
}

TEST(StudyScreenshots, FailureAndFirstMoment) {
  GuiDriver driver(kDesk);
  driver.app().studies.planner = synthetic_planner(std::make_shared<std::atomic<bool>>(false));
  driver.run([&](ImGuiTestContext* context) {
    open_view(driver, context, View::kDepth);
    write("study_failed", driver.grab(context), kDesk);
  });
}

TEST(StudyScreenshots, OtherSizes) {
  GuiDriver driver({1280, 720});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
    driver.app().view.ui_scale = 3;
    open_view(driver, context, View::kFit);
    write("fit_three_times", driver.grab(context), {1280, 720});
    context->ItemClick("**/Settings");
    write("fit_three_times_settings", driver.grab(context), {1280, 720});
    driver.app().view.ui_scale = 1;
    driver.lab().window().resize({640, 420});
    context->ItemClick("**/Figure");
    open_view(driver, context, View::kBounds);
    write("bounds_small", driver.grab(context), {640, 420});
    driver.lab().window().resize({1000, 700});
    open_view(driver, context, View::kStreaming);
    write("streaming_medium", driver.grab(context), {1000, 700});
  });
}

}  // namespace
}  // namespace dispersion

// Pictures of what is presented: views alone, and lessons.

#include "app/commands/lesson.h"
#include "app/lesson/presentation.h"
#include "app/lesson/told_step.h"
#include "tests/gui/scenes.h"

namespace dispersion {
namespace {

const Format kSmallProjector = {"1280x720", {1280, 720}, 1};

std::function<void(GuiDriver&, ImGuiTestContext*)> presenting(const char* view) {
  return [view](GuiDriver& driver, ImGuiTestContext* context) {
    AppState& app = driver.app();
    leave_presentation(app);
    context->Yield(3);
    if (view != nullptr) app.view.view = view_named(view);
    IM_CHECK(driver.wait_for_picture(context));
    present(app);
    if (view == nullptr) return count_sets(driver, context, 64);
    IM_CHECK(driver.wait_for(context, [&] {
      return app.experiments.of(app.view.view).update.phase == ExperimentPhase::kDone;
    }));
  };
}

Scene presented(const char* name, const char* view) {
  return {std::string("present_") + name,
          {kSmallProjector, kDesktop},
          {Theme::kDark, Theme::kLight, Theme::kHighContrast},
          presenting(view)};
}

Play views() {
  return {"Present",
          new_window,
          {presented("attention", nullptr), presented("table", "table"), presented("fit", "fit"),
           presented("bounds", "bounds"), presented("surfaces", "surface"),
           presented("precision", "precision")}};
}

}  // namespace

std::vector<Play> presentation_plays() {
  return {views()};
}

}  // namespace dispersion

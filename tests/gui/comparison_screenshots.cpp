// Pictures of two states beside one another.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/session/comparison.h"
#include "app/session/state_snapshot.h"
#include "app/session/view_schedule.h"
#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

bool complete(const AppState& app) {
  const ComparedPairs* pairs = present_pairs(app);
  return pairs != nullptr && is_final(*app.snapshot, app.head) &&
         std::ranges::all_of(pairs->pairs, [](const SizePair& pair) {
           return pair.sets == most_row_sets(pair.items);
         });
}

TEST(Screenshots, Comparison) {
  const Size size = {1440, 900};
  GuiDriver driver(size);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    app.view.theta = 0.5;
    IM_CHECK(driver.wait_for_picture(context));
    driver.wait_for(
        context, [&] { return complete(app); }, 200);
    for (const Theme theme : {Theme::kDark, Theme::kLight}) {
      app.view.theme = theme;
      write(theme == Theme::kDark ? "comparison_dark" : "comparison_light", driver.grab(context),
            size);
    }
    app.view.theme = Theme::kDark;
    const Size low = {1024, 600};
    driver.lab().window().resize(low);
    write("comparison_1024x600", driver.grab(context), low);
    const Size projected = {1280, 720};
    driver.lab().window().resize(projected);
    app.view.ui_scale = 3;
    write("comparison_300", driver.grab(context), projected);
    app.view.ui_scale = 1;
    driver.lab().window().resize(size);
    app.view.view = kBoundsView;
    driver.wait_for(
        context, [&] { return app.comparison->pictures.experiment(app, kBoundsView) != nullptr; },
        200);
    context->Yield(5);
    write("comparison_bounds", driver.grab(context), size);
  });
}

}  // namespace
}  // namespace dispersion

// Pictures of two states beside one another.

#include <algorithm>

#include "app/session/comparison.h"
#include "app/session/state_snapshot.h"
#include "app/session/view_schedule.h"
#include "tests/gui/scenes.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

// Whether everything is counted over as many sets as it ever is.
bool complete(const AppState& app) {
  const ComparedPairs* pairs = present_pairs(app);
  return pairs != nullptr && is_final(*app.snapshot, app.head) &&
         std::ranges::all_of(pairs->pairs, [](const SizePair& pair) {
           return pair.sets == most_row_sets(pair.items);
         });
}

void pin_and_change(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  context->KeyPress(ImGuiKey_B);
  driver.app().view.theta = 0.5;
  IM_CHECK(driver.wait_for_picture(context));
  IM_CHECK(driver.wait_for(
      context, [&] { return complete(driver.app()); }, 200));
}

void compare_bounds(GuiDriver& driver, ImGuiTestContext* context) {
  AppState& app = driver.app();
  app.view.view = kBoundsView;
  IM_CHECK(driver.wait_for(
      context, [&] { return app.comparison->pictures.experiment(app, kBoundsView) != nullptr; },
      200));
  context->Yield(5);
}

}  // namespace

std::vector<Play> comparison_plays() {
  return {Play{"Comparison",
               new_window,
               {{"comparison", {kUsual}, {Theme::kDark, Theme::kLight}, pin_and_change},
                {"comparison", {kSmallLaptop, kLargeType}, {Theme::kDark}},
                {"comparison_bounds", {kUsual}, {Theme::kDark}, compare_bounds}}}};
}

}  // namespace dispersion

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

// A new run beside the pinned one, without a step.
void begin_another(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  context->KeyPress(ImGuiKey_B);
  context->KeyPress(ImGuiKey_N);
  IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state->seed == 2; }));
  IM_CHECK(driver.wait_for_picture(context));
}

const Format kSmallDesk = {"1280x800", {1280, 800}, 1};

// B goes on from A for some steps, under another temperature.
void pin_and_train(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  context->KeyPress(ImGuiKey_B);
  context->KeyPress(ImGuiKey_Space);
  IM_CHECK(driver.trains_to(context, 20));
  context->KeyPress(ImGuiKey_Space);
  driver.app().view.theta = 0.5;
  IM_CHECK(driver.wait_for_picture(context));
}

// Waits until the view shows A and B as computed to the end.
void show_both(GuiDriver& driver, ImGuiTestContext* context, View view) {
  AppState& app = driver.app();
  app.view.view = view;
  const auto done = [view](const AppState& state) {
    const ExperimentState& experiment = state.experiments.of(view);
    return experiment.result && !experiment.stale && !experiment.busy();
  };
  IM_CHECK(driver.wait_for(
      context, [&] { return view == View::kAttention || (done(app) && done(app.comparison->a)); },
      400));
  context->Yield(5);
}

// Every view with a state pinned.
Play every_view() {
  Play play = {"ComparedViews", new_window, {}};
  for (const View view : window_views()) {
    const bool first = play.scenes.empty();
    const auto set_up = [first, view](GuiDriver& driver, ImGuiTestContext* context) {
      if (first) pin_and_train(driver, context);
      show_both(driver, context, view);
    };
    const std::string name = "pinned_" + std::string(view_figure(view));
    play.scenes.push_back({name, {kSmallDesk}, {Theme::kDark, Theme::kLight}, set_up});
  }
  return play;
}

}  // namespace

std::vector<Play> comparison_plays() {
  return {Play{"Comparison",
               new_window,
               {{"comparison", {kUsual}, {Theme::kDark, Theme::kLight}, pin_and_change},
                {"comparison", {kSmallLaptop, kLargeType}, {Theme::kDark}},
                {"comparison_bounds", {kUsual}, {Theme::kDark}, compare_bounds}}},
          Play{"ComparedRuns",
               new_window,
               {{"comparison_new_run", {kSmallDesk}, {Theme::kDark}, begin_another}}},
          every_view()};
}

}  // namespace dispersion

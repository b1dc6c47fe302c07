// The pinned state A and the present one, B, change places.

#include <gtest/gtest.h>

#include <string>

#include "app/session/comparison.h"
#include "app/session/state_string.h"
#include "core/head/training_state.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1440, 900};

TEST(SwapWindow, SwapExchangesHeadsAndSettings) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::string first = run_hash(app.status.recipe, *app.head.state);
    context->KeyPress(ImGuiKey_B);
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state->seed == 2; }));
    const std::string second = run_hash(app.status.recipe, *app.head.state);
    app.view.theta = 0.25;
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Shift | ImGuiKey_B);
    IM_CHECK_EQ(app.view.theta, 1.0);
    IM_CHECK(driver.wait_for(
        context, [&] { return run_hash(app.status.recipe, *app.head.state) == first; }));
    const AppState& a = app.comparison->a;
    IM_CHECK_EQ(a.view.theta, 0.25);
    IM_CHECK_STR_EQ(run_hash(a.status.recipe, *a.head.state).c_str(), second.c_str());
    context->ItemClick("**/Swap");
    IM_CHECK_EQ(app.view.theta, 0.25);
    IM_CHECK(driver.wait_for(
        context, [&] { return run_hash(app.status.recipe, *app.head.state) == second; }));
  });
}

TEST(SwapWindow, UndoTakesASwapBackWithItsHead) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const auto hash = [&] { return run_hash(app.status.recipe, *app.head.state); };
    const auto has = [&](const std::string& head) {
      return driver.wait_for(context, [&] { return hash() == head; });
    };
    const std::string first = hash();
    context->KeyPress(ImGuiKey_B);
    const std::shared_ptr<Comparison> pinned = app.comparison;
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state->seed == 2; }));
    const std::string second = hash();
    app.view.theta = 0.25;
    context->Yield(3);
    const std::size_t steps = app.undo.done().size();
    context->KeyPress(ImGuiMod_Shift | ImGuiKey_B);
    IM_CHECK(has(first));
    context->Yield(3);
    IM_CHECK_EQ(app.undo.done().size(), steps + 1);
    IM_CHECK_STR_EQ(app.undo.done().back().what.c_str(),
                    "A and B swapped: seed 2 → 1, step 0 → 100\u2009000; temperature θ 0.25 → 1");
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(has(second));
    IM_CHECK(app.comparison == pinned);
    IM_CHECK_EQ(app.view.theta, 0.25);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    IM_CHECK(has(first));
    IM_CHECK_EQ(app.view.theta, 1.0);
    IM_CHECK_EQ(app.comparison->a.view.theta, 0.25);
    // A state is one state: opening it leaves A. So both lines of text bring a comparison back.
    const std::string a = state_string(app.comparison->a);
    const std::string b = state_string(app);
    context->KeyPress(ImGuiKey_B);
    IM_CHECK(app.comparison == nullptr);
    open_state(app, driver.lab().session(), a);
    IM_CHECK(has(second));
    context->KeyPress(ImGuiKey_B);
    open_state(app, driver.lab().session(), b);
    IM_CHECK(has(first));
    IM_CHECK_STR_EQ(state_string(app.comparison->a).c_str(), a.c_str());
    IM_CHECK_EQ(app.view.theta, 1.0);
    IM_CHECK_EQ(app.comparison->a.view.theta, 0.25);
  });
}

}  // namespace
}  // namespace dispersion

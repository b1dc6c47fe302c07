// What is typed: into the palette, and into fields of numbers.

#include <gtest/gtest.h>

#include "app/panels/panel_state.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

void type(ImGuiTestContext* context, const char* text) {
  context->KeyChars(text);
  context->Yield(2);
}

TEST(Palette, FindsAnActionAndCarriesItOut) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->Yield(4);
    type(context, "light");
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(4);
    EXPECT_EQ(driver.app().view.theme, Theme::kLight);
    EXPECT_FALSE(driver.lab().panels().command_palette.open);
    EXPECT_NE(driver.app().status.phase, RunPhase::kTraining);
  });
}

TEST(Palette, TakesAValue) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    const auto enter = [&](const char* text) {
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
      context->Yield(4);
      type(context, text);
      context->KeyPress(ImGuiKey_Enter);
      context->Yield(4);
    };
    enter("temperature 0,5");
    EXPECT_EQ(driver.app().view.theta, 0.5);
    enter("theta 0.25");
    EXPECT_EQ(driver.app().view.theta, 0.25);
    enter("n 4096");
    EXPECT_EQ(driver.app().view.focused_items, 4096);
    enter("temperature 900");
    EXPECT_EQ(driver.app().view.theta, 0.25);
    EXPECT_TRUE(driver.lab().panels().command_palette.open);
    EXPECT_NE(driver.lab().panels().command_palette.refusal, "");
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(3);
    EXPECT_FALSE(driver.lab().panels().command_palette.open);
  });
}

// The slider that was clicked last got the keys, so that they moved it further.
TEST(Palette, LeavesTheArrowsToTheWindowWhereNothingHadTheFocus) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    const AppState& app = driver.app();
    context->Yield(5);
    context->ItemClick("**/theta slider");
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
    const int items = app.view.focused_items;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->Yield(4);
    type(context, "temperature 2");
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(4);
    EXPECT_EQ(app.view.theta, 2);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
    context->KeyPress(ImGuiKey_LeftArrow);
    context->Yield(2);
    EXPECT_EQ(app.view.theta, 2);
    EXPECT_EQ(app.view.focused_items, items / 2);
  });
}

TEST(Palette, KeepsTheKeysFromTheWindow) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    const ViewSettings before = driver.app().view;
    const std::uint32_t seed = driver.app().status.seed;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->Yield(4);
    for (const ImGuiKey key : {ImGuiKey_T, ImGuiKey_P, ImGuiKey_N, ImGuiKey_A, ImGuiKey_3,
                               ImGuiKey_UpArrow, ImGuiKey_PageDown, ImGuiKey_F1, ImGuiKey_Tab})
      context->KeyPress(key);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(5);
    EXPECT_EQ(driver.app().view, before);
    EXPECT_EQ(driver.app().status.seed, seed);
    EXPECT_FALSE(driver.lab().panels().keys_shown);
    EXPECT_FALSE(driver.lab().panels().command_palette.open);
  });
}

TEST(Palette, ShowsTheFieldOfASettingWithoutAValue) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    driver.app().view.view = view_named("bounds");
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->Yield(4);
    type(context, "learning rate");
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(5);
    EXPECT_EQ(driver.app().view.view, View::kAttention);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    type(context, "0,01");
    context->KeyPress(ImGuiKey_KeypadEnter);
    context->Yield(3);
    EXPECT_EQ(driver.app().run.recipe.learning_rate, 0.01);
  });
}

TEST(NumberFields, TakeADecimalCommaAndSayWhatIsNotClear) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    const auto enter = [&](const char* field, const char* text) {
      context->ItemClick(field);
      context->KeyChars(text);
      context->KeyPress(ImGuiKey_KeypadEnter);
      context->Yield(3);
    };
    context->SetRef("//lab");
    enter("**/temperature θ/##number", "0,5");
    EXPECT_EQ(driver.app().view.theta, 0.5);
    enter("**/temperature θ/##number", "1,000");
    EXPECT_EQ(driver.app().view.theta, 0.5);
    EXPECT_EQ(driver.lab().panels().painter.refused_text, "write 1000 or 1.0");
    context->KeyPress(ImGuiKey_Escape);
    // The hint goes when the value changes in another way.
    EXPECT_EQ(driver.lab().panels().painter.refused, "temperature θ");
    driver.app().view.theta = 2;
    context->Yield(3);
    EXPECT_EQ(driver.lab().panels().painter.refused, "");
    enter("**/stop at step/##number", "200,000");
    EXPECT_EQ(driver.lab().panels().painter.refused_text, "write 200000");
    EXPECT_EQ(driver.app().run.stop_at, 100'000);
  });
}

}  // namespace
}  // namespace dispersion

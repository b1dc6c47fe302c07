// The fields of the recipe, and runs that begin with them.

#include "app/panels/actions.h"
#include "app/panels/recipe_fields.h"
#include "tests/gui/driver.h"  // before the test engine's internal header, which needs it

#include <gtest/gtest.h>
#include <imgui_te_internal.h>

#include "app/session/messages.h"
#include "app/session/state_string.h"
#include "core/figure/number_text.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

TEST(RecipeWindow, ANewRecipeStartsOnlyWhenAsked) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::uint64_t run = driver.app().status.run;
    context->ItemInputValue("**/learning rate/##number", 0.5F);
    IM_CHECK_EQ(driver.app().run.recipe.learning_rate, 0.5);
    IM_CHECK_EQ(driver.app().status.run, run);
    context->ItemClick("**/Undo");
    IM_CHECK_EQ(driver.app().run.recipe.learning_rate, 0.001);
    IM_CHECK(!context->ItemExists("**/Undo"));
    context->ItemInputValue("**/learning rate/##number", 0.5F);
    context->ItemClick("**/Start new run");
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.recipe.learning_rate == 0.5; }));
  });
}

// What was refused is told until the field has another value, whatever has set it.
TEST(RecipeWindow, TheHintOfARefusedValueGoesWithTheValue) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    AppState& app = driver.app();
    const Painter& painter = driver.lab().panels().painter;
    const auto refuse = [&] {
      context->ItemClick("**/learning rate/##number");
      context->KeyChars("123456789");
      context->KeyPress(ImGuiKey_Enter);
      context->KeyPress(ImGuiKey_Escape);
      context->Yield(2);
      EXPECT_EQ(painter.refused, "learning rate");
    };
    app.run.recipe.learning_rate = 0.25;
    const std::string state = state_string(app);
    context->Yield(2);
    refuse();
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->KeyChars("learning rate 0.5");
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(3);
    IM_CHECK_EQ(app.run.recipe.learning_rate, 0.5);
    EXPECT_EQ(painter.refused, "");
    refuse();
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    context->Yield(3);
    IM_CHECK_EQ(app.run.recipe.learning_rate, 0.25);
    EXPECT_EQ(painter.refused, "");
    app.run.recipe.learning_rate = 0.125;
    context->Yield(2);
    refuse();
    ImGui::SetClipboardText(state.c_str());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V);
    context->Yield(3);
    IM_CHECK_EQ(app.run.recipe.learning_rate, 0.25);
    EXPECT_EQ(painter.refused, "");
  });
}

TEST(RecipeFields, TakeNoLargerBatchThanFits) {
  for (const int largest : {1, 16, 300, 1024}) {
    Recipe recipe;
    recipe.smallest_set = 1;
    recipe.largest_set = largest;
    recipe.batch_sets = static_cast<int>(batch_field(recipe).high);
    EXPECT_NO_THROW(validate(recipe)) << largest;
    recipe.largest_set = static_cast<int>(largest_set_field(recipe).high);
    EXPECT_GE(recipe.largest_set, largest);
    EXPECT_NO_THROW(validate(recipe)) << largest;
  }
}

TEST(RecipeWindow, ANewSeedLeavesEditedFields) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::uint32_t seed = driver.app().status.seed;
    context->ItemInputValue("**/learning rate/##number", 0.5F);
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == seed + 1; }));
    context->Yield(2);
    IM_CHECK_EQ(driver.app().status.recipe.learning_rate, 0.001);
    IM_CHECK_EQ(driver.app().run.recipe.learning_rate, 0.5);
    IM_CHECK_EQ(driver.app().run.seed, seed + 1);
  });
}

TEST(RecipeWindow, ThePapersRecipeIsOneClickAway) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(!context->ItemExists("**/The paper's recipe"));
    context->ItemInputValue("**/learning rate/##number", 0.5F);
    context->ItemClick("**/Start new run");
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.recipe.learning_rate == 0.5; }));
    context->ItemClick("**/The paper's recipe");
    IM_CHECK(driver.app().run.recipe == Recipe());
    context->Yield(2);
    IM_CHECK(!context->ItemExists("**/The paper's recipe"));
  });
}

// A comma is typed as a point, so that "100,000" would be 100.
TEST(RecipeWindow, WholeNumbersTakeNoPoint) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::int64_t stop = driver.app().run.stop_at;
    context->ItemInput("**/stop at step/##number");
    context->KeyCharsReplaceEnter("200,000");
    IM_CHECK_EQ(driver.app().run.stop_at, stop);
    context->ItemInput("**/stop at step/##number");
    context->KeyCharsReplaceEnter("200000");
    IM_CHECK_EQ(driver.app().run.stop_at, 200'000);
  });
}

// Steps are in groups of three digits, in the field too, and whoever takes a digit away there need
// not move the space.
TEST(RecipeWindow, TheStepToStopAtIsWrittenAsOtherSteps) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.app().run.stop_at = 123'456;
    context->Yield(2);
    const std::string text = text_on_screen(context);
    EXPECT_NE(text.find("123 456"), std::string::npos) << text;
    context->ItemInput("**/stop at step/##number");
    context->KeyPress(ImGuiKey_End);
    context->KeyPress(ImGuiKey_Backspace);
    context->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(driver.app().run.stop_at, 12'345);
    context->ItemInput("**/stop at step/##number");
    context->KeyCharsReplaceEnter("0");
    IM_CHECK_STR_EQ(driver.lab().panels().painter.refused_text.c_str(),
                    ("1 to " + grouped_text(static_cast<std::int64_t>(kLargestStop))).c_str());
  });
}

}  // namespace
}  // namespace dispersion

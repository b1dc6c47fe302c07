// The recipe panel: how a new run is computed.

#include <gtest/gtest.h>

#include <string>

#include "tests/gui/driver.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

TEST(RecipePanel, RoundingTakesTheDirectPathAndIsNamedWhereNumbersAreCopied) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const Recipe& recipe = driver.app().run.recipe;
    // A list has no name that can be searched for, but its place in the column is known.
    const auto choose = [&](const std::string& field, const std::string& name) {
      context->SetRef(context->WindowInfo("//lab/controls").Window);
      context->ItemClick((field + "/##choice").c_str());
      context->ItemClick(("//$FOCUSED/" + name).c_str());
    };
    choose("path", "spectral");
    IM_CHECK(recipe.path == HeadPath::kSpectral);
    choose("precision", "bf16");
    IM_CHECK(recipe.precision == Precision::kBf16);
    IM_CHECK(recipe.path == HeadPath::kDirect);
    choose("path", "spectral");
    IM_CHECK(recipe.path == HeadPath::kDirect);
    context->ItemClick("**/Start new run");
    const RunStatus& status = driver.app().status;
    IM_CHECK(driver.wait_for(context, [&] { return status.recipe.precision == Precision::kBf16; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_NE(copied.find("direct path, bf16"), std::string::npos) << copied;
    EXPECT_NE(copied.find("computed\tdirect, bf16"), std::string::npos) << copied;
    choose("precision", "fp32");
    choose("path", "spectral");
    context->ItemClick("**/Start new run");
    IM_CHECK(driver.wait_for(context, [&] { return status.item_points > 0; }));
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return status.step == 1; }));
    IM_CHECK_EQ(status.item_points, driver.app().head.state->item_points);
  });
}

}  // namespace
}  // namespace dispersion

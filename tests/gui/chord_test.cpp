#include "tests/gui/driver.h"  // before the test engine's insides, which need it

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <imgui_te_internal.h>

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

// In a slow frame a quick Ctrl+T is over before anyone looks: both the key and the end of Ctrl.
TEST(Window, AChordThatIsOverInOneFrameIsNoPlainKey) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    const auto quickly = [&](ImGuiKey key) {
      context->KeyDown(ImGuiMod_Ctrl);
      context->Inputs->Queue.push_back(ImGuiTestInput::ForKeyChord(key, true));
      context->Inputs->Queue.push_back(ImGuiTestInput::ForKeyChord(ImGuiMod_Ctrl, false));
      context->Yield();
      context->KeyUp(key);
      context->Yield(2);
    };
    quickly(ImGuiKey_T);
    IM_CHECK_EQ(driver.app().view.theme, Theme::kDark);
    IM_CHECK(driver.wait_for_picture(context));
    quickly(ImGuiKey_E);
    IM_CHECK(driver.app().exporting.open);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    IM_CHECK(!driver.app().exporting.open);
    context->KeyPress(ImGuiKey_T);
    IM_CHECK_EQ(driver.app().view.theme, Theme::kLight);
  });
}

}  // namespace
}  // namespace dispersion

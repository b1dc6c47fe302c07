// Keys by press: of the keypad, of panes, and those that work in dialogs too.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

void press(ImGuiTestContext* context, ImGuiKeyChord chord) {
  context->KeyPress(chord);
  context->Yield(2);
}

TEST(KeysWindow, ThoseOfTheKeypadDoWhatTheirNeighboursDo) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    const ViewSettings& view = driver.app().view;
    press(context, ImGuiKey_Keypad3);
    IM_CHECK_EQ(view.view, kFitView);
    press(context, ImGuiKey_Keypad1);
    IM_CHECK_EQ(view.view, View::kAttention);
    press(context, ImGuiMod_Ctrl | ImGuiKey_KeypadAdd);
    IM_CHECK_GT(view.ui_scale, 1.0F);
    press(context, ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract);
    IM_CHECK_EQ(view.ui_scale, 1.0F);
    press(context, ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract);
    IM_CHECK_LT(view.ui_scale, 1.0F);
    press(context, ImGuiMod_Ctrl | ImGuiKey_Keypad0);
    IM_CHECK_EQ(view.ui_scale, 1.0F);
  });
}

// What explains a button would lie over what the key has opened.
TEST(KeysWindow, AKeyThatActsTakesTheHelpAwayUntilTheMouseMoves) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    const auto help_shown = [] {
      return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* each) {
        return each->Active && !each->Hidden && (each->Flags & ImGuiWindowFlags_Tooltip) != 0;
      });
    };
    context->MouseMove("**/###play");
    IM_CHECK(driver.wait_for(context, help_shown));
    press(context, ImGuiMod_Ctrl | ImGuiKey_B);
    IM_CHECK(driver.lab().panels().bookmarks.shown);
    IM_CHECK(!help_shown());
    press(context, ImGuiKey_Escape);
    IM_CHECK(!driver.lab().panels().bookmarks.shown);
    context->MouseMove("**/Rewind");
    context->MouseMove("**/###play");
    IM_CHECK(driver.wait_for(context, help_shown));
    press(context, ImGuiMod_Ctrl | ImGuiKey_K);
    IM_CHECK(driver.lab().panels().command_palette.open);
    IM_CHECK(!help_shown());
  });
}

TEST(KeysWindow, CtrlAndADigitChooseThePanesAndF6GoesThroughThem) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    const ViewGrid& grid = driver.app().view.grid;
    press(context, ImGuiKey_F6);  // there is one view alone
    IM_CHECK_EQ(grid.focused, 0U);
    press(context, ImGuiMod_Ctrl | ImGuiKey_2);
    IM_CHECK_EQ(grid.shape, GridShape::kBeside);
    press(context, ImGuiMod_Ctrl | ImGuiKey_3);
    IM_CHECK_EQ(grid.shape, GridShape::kBelow);
    press(context, ImGuiMod_Ctrl | ImGuiKey_4);
    IM_CHECK_EQ(grid.shape, GridShape::kFour);
    for (const std::size_t next : {1U, 2U, 3U, 0U}) {
      press(context, ImGuiKey_F6);
      IM_CHECK_EQ(grid.focused, next);
    }
    // A tab changes the pane in focus, in its list too.
    press(context, ImGuiKey_F6);
    context->ItemClick("**/Fit");
    context->Yield(2);
    IM_CHECK_EQ(grid.panes[1].view, kFitView);
    IM_CHECK_EQ(driver.app().view.view, kFitView);
    press(context, ImGuiMod_Ctrl | ImGuiKey_1);
    IM_CHECK_EQ(grid.shape, GridShape::kOne);
  });
}

TEST(KeysWindow, TheListOfKeysIsNoWiderThanItsWindow) {
  GuiDriver driver({1280, 720});
  driver.run([&](ImGuiTestContext* context) {
    for (const float scale : {1.0F, 3.0F}) {
      driver.app().view.ui_scale = scale;
      driver.lab().panels().keys_shown = true;
      context->Yield(3);
      const ImGuiWindow* list = nullptr;
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        const std::string name = window->Name;
        if (window->Active && name.find("keys") != std::string::npos &&
            name.find("rows") != std::string::npos)
          list = window;
      }
      IM_CHECK(list != nullptr);
      const std::vector<ImRect> letters = letters_of(*list);
      IM_CHECK_GE(letters.size(), 40U);
      for (const ImRect& letter : letters) {
        IM_CHECK_SILENT(letter.Min.x >= list->InnerRect.Min.x - 2);
        IM_CHECK_SILENT(letter.Max.x <= list->InnerRect.Max.x + 2);
      }
    }
  });
}

// They are asked for above all where one does not know how to go on.
TEST(KeysWindow, TheListOfKeysAndThePaletteTakeThePlaceOfADialog) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const ExportState& exporting = driver.app().exporting;
    PanelState& state = driver.lab().panels();
    const auto saving = [&] { return state.entry.purpose == PathEntry::Purpose::kSave; };
    for (const ImGuiKeyChord dialog : {ImGuiMod_Ctrl | ImGuiKey_E, ImGuiMod_Ctrl | ImGuiKey_S}) {
      press(context, dialog);
      IM_CHECK(exporting.open != saving());
      press(context, ImGuiKey_F1);
      IM_CHECK(!exporting.open && !saving());
      IM_CHECK(state.keys_shown);
      press(context, ImGuiKey_Escape);
      IM_CHECK(!state.keys_shown);
      press(context, dialog);
      IM_CHECK(exporting.open != saving());
      press(context, ImGuiMod_Ctrl | ImGuiKey_K);
      IM_CHECK(!exporting.open && !saving());
      IM_CHECK(state.command_palette.open);
      context->KeyChars("temperature 0.5");
      press(context, ImGuiKey_Enter);
      IM_CHECK(!state.command_palette.open);
      IM_CHECK_EQ(driver.app().view.theta, 0.5);
      // What the window was set to is not undone below a dialog.
      press(context, dialog);
      press(context, ImGuiMod_Ctrl | ImGuiKey_Z);
      IM_CHECK_EQ(driver.app().view.theta, 0.5);
      // Esc closes it from its field too, whose text is as it was.
      if (exporting.open) context->ItemClick("**/##path");
      press(context, ImGuiKey_Escape);
      IM_CHECK(!exporting.open && !saving());
      press(context, ImGuiMod_Ctrl | ImGuiKey_Z);
      IM_CHECK_EQ(driver.app().view.theta, 1);
    }
  });
}

}  // namespace
}  // namespace dispersion

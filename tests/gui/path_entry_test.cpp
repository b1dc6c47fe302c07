// The fields into which the user types: after a refused entry they keep the keyboard, so that the
// rest of the typing is not taken for shortcuts.

#include "tests/gui/driver.h"  // before the test engine's internal header, which needs it

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <imgui_te_internal.h>

#include <filesystem>
#include <string>

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

std::string text_of(GuiDriver& driver) {
  return driver.lab().panels().entry.text.data();
}

// Nothing that a letter or a digit does in the window has happened.
void expect_no_shortcut(const AppState& app) {
  EXPECT_EQ(app.status.seed, 1U);
  EXPECT_EQ(app.status.phase, RunPhase::kPaused);
  EXPECT_EQ(app.view.view, View::kAttention);
  EXPECT_EQ(app.view.theme, Theme::kDark);
  EXPECT_TRUE(is_shown(app.view, TransformId::kAdaptive));
  EXPECT_TRUE(app.history.empty());
}

TEST(PathEntry, ARefusedNameStaysToBePutRight) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::string hash = driver.app().status.run_hash;
    PathEntry& entry = driver.lab().panels().entry;
    for (const auto& [key, purpose] : {std::pair{ImGuiKey_O, PathEntry::Purpose::kOpen},
                                       std::pair{ImGuiKey_S, PathEntry::Purpose::kSave}}) {
      context->KeyPress(ImGuiMod_Ctrl | key);
      context->Yield(3);
      context->KeyCharsReplace("/no/such/folder/head.safetensors");
      context->KeyPress(ImGuiKey_Enter);
      IM_CHECK(driver.wait_for(context, [&] { return !entry.error.empty(); }));
      EXPECT_NE(entry.error.find("/no/such/folder"), std::string::npos) << entry.error;
      IM_CHECK(entry.purpose == purpose);
      context->Yield(3);
      // The message is below the field, not a second time among the notices.
      EXPECT_FALSE(context->ItemExists("**/###report"));
      context->KeyChars("nr t1 a");
      EXPECT_EQ(text_of(driver), "/no/such/folder/head.safetensorsnr t1 a");
      EXPECT_TRUE(entry.error.empty());
      expect_no_shortcut(driver.app());
      context->KeyPress(ImGuiKey_Escape);
      context->Yield(2);
      IM_CHECK(entry.purpose == PathEntry::Purpose::kNone);
      IM_CHECK_STR_EQ(driver.app().status.run_hash.c_str(), hash.c_str());
    }
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
  });
}

TEST(PathEntry, ClosesWhenTheFileIsSavedAndWhenItIsOpened) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "dispersion_path_entry";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "head.safetensors").string();
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    PathEntry& entry = driver.lab().panels().entry;
    const auto answered = [&](bool replace) {
      context->Yield(3);
      context->KeyCharsReplace(file.c_str());
      context->KeyPress(ImGuiKey_Enter);
      if (replace) {
        context->Yield(2);
        IM_CHECK_RETV(entry.overwrite, false);
        context->KeyPress(ImGuiKey_Enter);
      }
      return driver.wait_for(context, [&] { return entry.purpose == PathEntry::Purpose::kNone; });
    };
    for (const bool replace : {false, true}) {
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
      IM_CHECK(answered(replace));
      EXPECT_TRUE(std::filesystem::exists(file));
    }
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    IM_CHECK(answered(false));
    EXPECT_NE(driver.app().status.head_source.find("head.safetensors"), std::string::npos);
    context->Yield(2);
    context->KeyPress(ImGuiKey_T);
    EXPECT_EQ(driver.app().view.theme, Theme::kLight);
  });
  driver.close();
  std::filesystem::remove_all(folder);
}

TEST(PathEntry, WhatIsTypedBeforeTheFieldHasTheKeyboardIsNotLost) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::string name = "/nowhere/a noisy street";
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    for (const char character : name)
      context->Inputs->Queue.push_back(ImGuiTestInput::ForChar(static_cast<ImWchar>(character)));
    context->Yield();
    for (const char character : name)
      context->Inputs->Queue.push_back(ImGuiTestInput::ForChar(static_cast<ImWchar>(character)));
    context->Yield(4);
    EXPECT_EQ(text_of(driver), name + name);
    expect_no_shortcut(driver.app());
  });
}

TEST(NumberEntry, ARefusedNumberStaysToBePutRight) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/temperature θ/##number");
    context->KeyCharsReplace("99");
    context->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(driver.app().view.theta, 1.0);
    context->Yield(2);
    IM_CHECK(ImGui::GetIO().WantTextInput);
    context->KeyChars("2");
    expect_no_shortcut(driver.app());
    context->KeyPress(ImGuiKey_Enter);
    IM_CHECK_EQ(driver.app().view.theta, 2.0);
    context->Yield(2);
    IM_CHECK(!ImGui::GetIO().WantTextInput);  // an accepted one lets the keyboard go
    context->KeyPress(ImGuiKey_2);
    IM_CHECK(driver.app().view.view != View::kAttention);
  });
}

TEST(ExportPath, ARefusedNameStaysToBePutRight) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(3);
    context->ItemClick("**/##path");
    context->KeyCharsReplace("/no/such/folder/a.pdf");
    context->KeyPress(ImGuiKey_Enter);
    ExportState& exporting = driver.app().exporting;
    IM_CHECK(driver.wait_for(context, [&] { return exporting.failed; }));
    context->KeyChars("n r");
    EXPECT_EQ(exporting.settings.path, "/no/such/folder/a.pdfn r");
    expect_no_shortcut(driver.app());
  });
}

TEST(Views, TheTenthHasNoKey) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    std::vector<View>& views = driver.app().experiments.views;
    views = std::vector<View>(9, View::kAttention);
    views.push_back(view_named("bounds"));
    views.push_back(view_named("table"));
    for (const ImGuiKey key : {ImGuiKey_A, ImGuiKey_0, ImGuiKey_B, ImGuiKey_KeypadDecimal}) {
      context->KeyPress(key);
      IM_CHECK_EQ(driver.app().view.view, View::kAttention);
    }
    IM_CHECK(!is_shown(driver.app().view, TransformId::kAdaptive));
  });
}

}  // namespace
}  // namespace dispersion

// Bookmarks through the window.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/session/state_string.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

class BookmarksWindow : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    driver_.app().bookmarks_folder = folder_;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void type(ImGuiTestContext* context, const char* field, const char* text) {
    context->ItemInput(field);
    context->KeyCharsReplace(text);
  }
  const Bookmark& newest() { return driver_.app().bookmarks->front(); }

  // Of this test alone: others run beside it.
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  (std::string("dispersion_window_bookmarks_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
  GuiDriver driver_;
};

TEST_F(BookmarksWindow, KeepAStateWithItsHeadAndOpenIt) {
  driver_.run([&](ImGuiTestContext* context) {
    AppState& app = driver_.app();
    IM_CHECK(driver_.wait_for(context, [&] { return app.head.state != nullptr; }));
    app.view.theta = 0.25;
    const std::uint32_t seed = app.status.seed;
    const UserSettings kept = user_settings(app);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    context->Yield(3);
    context->KeyCharsAppend("sharp");  // the name has the keyboard, and no letter is a shortcut
    type(context, "**/##bookmark note", "of the paper's head");
    context->ItemClick("**/###keep bookmark");
    IM_CHECK(driver_.wait_for(context, [&] { return app.bookmarks->size() == 1; }));
    IM_CHECK_STR_EQ(newest().name.c_str(), "sharp");
    IM_CHECK_STR_EQ(newest().note.c_str(), "of the paper's head");
    context->KeyPress(ImGuiKey_Escape);

    app.view.theta = 1;
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver_.wait_for(context, [&] { return app.status.seed == seed + 1; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    context->ItemClick("**/###open bookmark");
    IM_CHECK(driver_.wait_for(context, [&] { return app.status.seed == seed; }));
    IM_CHECK_EQ(app.view.theta, 0.25);
    IM_CHECK(user_settings(app) == kept);
  });
}

TEST_F(BookmarksWindow, AreEditedAndRemovedAfterASecondClick) {
  driver_.run([&](ImGuiTestContext* context) {
    AppState& app = driver_.app();
    IM_CHECK(driver_.wait_for(context, [&] { return app.head.state != nullptr; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    context->ItemClick("**/###keep bookmark");
    IM_CHECK(driver_.wait_for(context, [&] { return app.bookmarks->size() == 1; }));
    IM_CHECK(newest().name.starts_with("seed "));  // where none was typed
    context->ItemClick("**/###edit bookmark");
    type(context, "**/##bookmark name", "other");
    context->ItemClick("**/###keep bookmark");
    IM_CHECK(driver_.wait_for(context, [&] { return newest().name == "other"; }));
    context->ItemClick("**/###delete bookmark");
    context->Yield(2);
    IM_CHECK_EQ(static_cast<int>(app.bookmarks->size()), 1);
    context->ItemClick("**/###delete bookmark");
    IM_CHECK(driver_.wait_for(context, [&] { return app.bookmarks->empty(); }));
    IM_CHECK(std::filesystem::is_empty(folder_));
  });
}

}  // namespace
}  // namespace dispersion

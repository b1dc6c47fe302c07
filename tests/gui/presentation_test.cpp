// What is presented, and lessons, through the window.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/commands/lesson.h"
#include "app/lesson/presentation.h"
#include "app/session/comparison.h"
#include "app/session/state_string.h"
#include "core/experiment/size_table.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

class PresentWindow : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void begin(ImGuiTestContext* context) {
    IM_CHECK(driver_.wait_for(context, [&] { return app().head.state != nullptr; }));
  }
  void press(ImGuiTestContext* context, ImGuiKeyChord key) {
    context->KeyPress(key);
    context->Yield(2);
  }
  void leave(ImGuiTestContext* context) {
    press(context, ImGuiKey_Escape);
    IM_CHECK(driver_.wait_for(context, [&] { return app().presentation == nullptr; }));
  }
  AppState& app() { return driver_.app(); }
  const Presentation& shown() { return *app().presentation; }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                  (std::string("dispersion_present_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
  GuiDriver driver_{{1280, 720}};
};

TEST_F(PresentWindow, HidesTheControlsAndGivesTheDeskBack) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    app().view.theta = 0.5;
    const UserSettings desk = user_settings(app());
    press(context, ImGuiKey_P);
    IM_CHECK(presents(app()));
    IM_CHECK(driver_.lab().window().full_screen());
    IM_CHECK(!context->ItemExists("**/###play"));
    press(context, ImGuiKey_C);
    IM_CHECK(context->ItemExists("**/###play"));
    press(context, ImGuiKey_C);
    app().view.theta = 2;
    press(context, ImGuiKey_RightArrow);
    leave(context);
    IM_CHECK(!driver_.lab().window().full_screen());
    IM_CHECK(user_settings(app()) == desk);
  });
}

TEST_F(PresentWindow, DoublesWithoutBookmarksAndAClickerNeverLeavesTheSizes) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    app().view.focused_items = 16;
    press(context, ImGuiKey_F5);
    for (const int items : doubling_sizes()) {
      IM_CHECK_EQ(app().view.focused_items, items);
      press(context, ImGuiKey_PageDown);
    }
    IM_CHECK_EQ(app().view.focused_items, doubling_sizes().back());
    press(context, ImGuiKey_PageUp);
    IM_CHECK_EQ(app().view.focused_items, doubling_sizes().back() / 2);
    leave(context);
  });
}

TEST_F(PresentWindow, BlanksAndAnyKeyOnlyShowsItAgain) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    app().view.focused_items = 64;
    press(context, ImGuiKey_F5);
    press(context, ImGuiKey_B);
    const Picture black = driver_.grab(context);
    IM_CHECK(std::ranges::all_of(black.rgb, [](std::uint8_t value) { return value == 0; }));
    press(context, ImGuiKey_PageDown);
    IM_CHECK(!shown().blank);
    IM_CHECK_EQ(app().view.focused_items, 64);
    leave(context);
  });
}

TEST_F(PresentWindow, StepsThroughBookmarksInTheOrderInWhichTheyWereMade) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    app().bookmarks_folder = folder_;
    for (const double theta : {0.5, 2.0}) {
      app().view.theta = theta;
      Bookmark bookmark;
      bookmark.name = std::to_string(theta);
      bookmark.state = state_string(app());
      const std::size_t before = app().bookmarks ? app().bookmarks->size() : 0;
      driver_.lab().session().send(BookmarkCommand{BookmarkCommand::Act::kAdd, folder_, bookmark});
      IM_CHECK(driver_.wait_for(
          context, [&] { return app().bookmarks && app().bookmarks->size() == before + 1; }));
    }
    app().view.theta = 1;
    const std::string hash = app().status.run_hash;
    driver_.lab().session().send(NewRunCommand{Recipe(), 7});
    IM_CHECK(driver_.wait_for(context, [&] { return app().status.seed == 7; }));
    const std::uint64_t run = app().status.open_run;
    press(context, ImGuiKey_F5);
    IM_CHECK_EQ(app().view.theta, 1.0);
    press(context, ImGuiKey_PageDown);
    IM_CHECK_EQ(app().view.theta, 0.5);
    IM_CHECK(driver_.wait_for(context, [&] { return app().status.run_hash == hash; }));
    press(context, ImGuiKey_PageDown);
    IM_CHECK_EQ(app().view.theta, 2.0);
    press(context, ImGuiKey_PageDown);  // the last one stays
    IM_CHECK_EQ(app().view.theta, 2.0);
    press(context, ImGuiKey_1);
    IM_CHECK_EQ(app().view.theta, 0.5);
    leave(context);
    IM_CHECK_EQ(app().view.theta, 1.0);
    IM_CHECK_EQ(app().status.open_run, run);
  });
}

TEST_F(PresentWindow, ALessonGivesBackATrainedHeadItsUndoAndWhatWasPinned) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    driver_.lab().session().send(NewRunCommand{Recipe(), 5});
    driver_.lab().session().send(PlayCommand{30});
    IM_CHECK(driver_.wait_for(context, [&] { return app().status.step == 30; }));
    IM_CHECK(driver_.wait_for(
        context, [&] { return app().head.state->step == 30 && app().status.hash_step == 30; }));
    app().view.theta = 0.25;
    pin(app());
    context->Yield(3);
    const std::string hash = app().status.run_hash;
    const UserSettings desk = user_settings(app());
    const std::size_t steps = app().undo.done().size();
    const auto pinned = app().comparison;
    const Theme theme = app().view.theme = Theme::kLight;
    context->Yield(2);
    begin_lesson(app(), driver_.lab().session(), shipped_lessons().front());
    context->Yield(3);
    IM_CHECK(app().comparison == nullptr);
    IM_CHECK(app().view.theme == theme);
    for (int i = 0; i < 4; ++i)
      press(context, ImGuiKey_PageDown);
    IM_CHECK(driver_.wait_for(context, [&] { return app().status.run_hash != hash; }));
    leave(context);
    IM_CHECK_STR_EQ(app().status.run_hash.c_str(), hash.c_str());
    IM_CHECK_EQ(app().status.step, 30);
    IM_CHECK(app().comparison == pinned);
    UserSettings light = desk;
    light.view.theme = theme;
    IM_CHECK(user_settings(app()) == light);
    context->Yield(3);
    IM_CHECK_EQ(app().undo.done().size(), steps + 1);  // the colours
    press(context, ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(user_settings(app()) == desk);
  });
}

TEST_F(PresentWindow, ALessonCanBeSteppedBackToItsBegin) {
  driver_.run([&](ImGuiTestContext* context) {
    begin(context);
    const auto lesson = shipped_lessons().front();
    begin_lesson(app(), driver_.lab().session(), lesson);
    context->Yield(2);
    int presses = 0;
    while (!at_end(app()) && presses < 100) {
      press(context, ImGuiKey_RightArrow);
      ++presses;
    }
    IM_CHECK_EQ(shown().step + 1, lesson->steps.size());
    press(context, ImGuiKey_RightArrow);  // nothing follows
    IM_CHECK_EQ(shown().step + 1, lesson->steps.size());
    while (!at_begin(app()) && presses > -100) {
      press(context, ImGuiKey_LeftArrow);
      --presses;
    }
    IM_CHECK(at_begin(app()));
    leave(context);
  });
}

TEST(PresentedDesk, IsKeptWhenTheWindowIsClosedInALesson) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "dispersion_presented_desk";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "settings.json";
  GuiDriver driver({1280, 720}, file);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
    driver.app().view.theta = 0.25;
    begin_lesson(driver.app(), driver.lab().session(), shipped_lessons().front());
    context->Yield(3);
    IM_CHECK_NE(driver.app().view.theta, 0.25);
  });
  driver.lab().window().close();
  driver.lab().run();
  EXPECT_EQ(load_preferences(file).preferences.view.theta, 0.25);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dispersion

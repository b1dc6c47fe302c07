// Where a window comes back to.

#include "app/window/window_place.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/panels/actions.h"
#include "app/window/preferences.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

using Areas = std::vector<ScreenRect>;
const Areas kTwoScreens = {{0, 30, 1920, 1050}, {1920, 0, 1280, 1024}};

TEST(WindowPlace, StaysWhereItCanBeSeen) {
  for (const ScreenRect& place :
       {ScreenRect{100, 100, 1440, 900}, ScreenRect{1900, 50, 1000, 700},  // on both screens
        ScreenRect{3100, 500, 1440, 900},                                  // 100 units are seen
        ScreenRect{-1340, 100, 1440, 900}})
    EXPECT_EQ(visible_place(place, kTwoScreens), place);
}

TEST(WindowPlace, Behaviour13_ComesBackFromAScreenThatIsGone) {
  const Areas one = {kTwoScreens[0]};
  EXPECT_EQ(visible_place({2000, 100, 1000, 700}, one), (ScreenRect{920, 100, 1000, 700}));
  EXPECT_EQ(visible_place({-5000, -5000, 1000, 700}, one), (ScreenRect{0, 30, 1000, 700}));
  EXPECT_EQ(visible_place({2000, 100, 4000, 3000}, one), (ScreenRect{0, 30, 1920, 1050}));
  // To the nearest of several.
  EXPECT_EQ(visible_place({3200, 900, 300, 200}, kTwoScreens), (ScreenRect{2900, 824, 300, 200}));
}

TEST(WindowPlace, ItsUpperEdgeCanBeReached) {
  const Areas one = {{0, 0, 1920, 1080}};
  // Only its foot would be on the screen, and it could not be dragged.
  EXPECT_EQ(visible_place({100, -600, 1000, 700}, one), (ScreenRect{100, 0, 1000, 700}));
  EXPECT_EQ(visible_place({100, 1060, 1000, 700}, one), (ScreenRect{100, 380, 1000, 700}));
  EXPECT_EQ(visible_place({1850, 100, 1000, 700}, one), (ScreenRect{920, 100, 1000, 700}));
}

TEST(WindowPlace, WithoutScreensOrWindowTheDesktopDecides) {
  EXPECT_EQ(visible_place({100, 100, 1000, 700}, {}), std::nullopt);
  EXPECT_EQ(visible_place({100, 100, 1000, 700}, Areas{{0, 0, 0, 0}}), std::nullopt);
  EXPECT_EQ(visible_place({100, 100, 0, 700}, kTwoScreens), std::nullopt);
}

TEST(WindowPlace, NumbersBeyondAllScreensAreNoTrouble) {
  const ScreenRect place = {2'000'000'000, -2'000'000'000, 2'000'000'000, 2'000'000'000};
  EXPECT_EQ(visible_place(place, Areas{{0, 0, 800, 600}}), (ScreenRect{0, 0, 800, 600}));
}

TEST(WindowPlace, IsRememberedWithTheSettings) {
  const TemporaryFolder folder;
  Preferences preferences;
  preferences.place = ScreenRect{-1200, 40, 1000, 700};
  save_preferences(folder / "settings.json", preferences);
  const LoadedPreferences loaded = load_preferences(folder / "settings.json");
  EXPECT_EQ(loaded.notice, "");
  EXPECT_EQ(loaded.preferences, preferences);
  EXPECT_FALSE(worth_keeping({300, 200}));
  EXPECT_TRUE(worth_keeping({300, 240}));
}

TEST(WindowPlace, ResetBringsTheUsualSizeAndLetters) {
  GuiDriver driver({700, 500});
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    app.view.ui_scale = 2;
    app.view.projector = true;
    context->Yield(2);
    reset_layout(app, driver.lab().panels());
    context->Yield(2);
    IM_CHECK_EQ(app.view.ui_scale, 1.0F);
    IM_CHECK(!app.view.projector);
    const Size size = driver.lab().window().size();
    // As much of it as the screen of the null platform has.
    IM_CHECK(size.width > 700);
    IM_CHECK(size.height > 500);
  });
}

}  // namespace
}  // namespace dispersion

// What has room where: reports, small windows, the top bar, the colour bar.

#include <gtest/gtest.h>

#include <string>

#include "app/lesson/presentation.h"
#include "tests/gui/driver.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kUsualSize = {1440, 900};

ImRect place_of(ImGuiTestContext* context, const char* item) {
  const ImGuiTestItemInfo info = context->ItemInfo(item);
  return info.ID == 0 ? ImRect() : info.RectFull;
}

bool there(ImGuiTestContext* context, const char* item) {
  return context->ItemInfo(item, ImGuiTestOpFlags_NoError).ID != 0;
}

TEST(LayoutWindow, AReportMovesNothingAndIsReadWholeAndCopied) {
  GuiDriver driver(kUsualSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const ImRect before = place_of(context, "**/$$1/$$1024/frame");
    std::string text = "the file could not be read:";
    for (int i = 0; i < 60; ++i)
      text += " reason " + std::to_string(i);
    add_report(driver.app(), {.ok = false, .text = text});
    context->Yield(2);
    const ImRect after = place_of(context, "**/$$1/$$1024/frame");
    EXPECT_EQ(before.Min.y, after.Min.y);
    EXPECT_EQ(before.Max.y, after.Max.y);
    context->ItemClick("**/###copy report");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), "T" + text.substr(1));
    context->ItemClick("**/###report");
    context->Yield(2);
    EXPECT_FALSE(there(context, "**/###report"));
  });
}

// In the window of a small laptop there is no room for the run below the curves: a switch shows it.
TEST(LayoutWindow, LossAndAccuracyAreOnePressAwayInALowWindow) {
  GuiDriver driver(kUsualSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    EXPECT_TRUE(there(context, "**/axes loss track"));
    EXPECT_FALSE(there(context, "**/part/Run"));
    driver.lab().window().resize({1024, 600});
    context->Yield(3);
    EXPECT_FALSE(there(context, "**/axes loss track"));
    EXPECT_TRUE(there(context, "**/axes Accuracy"));
    context->ItemClick("**/part/Run");
    context->Yield(2);
    EXPECT_TRUE(there(context, "**/axes loss track"));
    EXPECT_TRUE(there(context, "**/axes accuracy track"));
    EXPECT_FALSE(there(context, "**/axes Accuracy"));
    EXPECT_TRUE(there(context, "**/$$1/$$1024/frame"));
  });
}

TEST(LayoutWindow, MapsCanBeReadInLargeType) {
  GuiDriver driver({1280, 720});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.app().view.ui_scale = 3;
    context->Yield(3);
    EXPECT_GE(place_of(context, "**/$$0/$$1024/frame").GetHeight(), 150);
  });
}

// Where a figure has no room for its parts, it scrolls, and each part keeps a size to be read in.
TEST(LayoutWindow, NoPlotIsTooSmallToBeRead) {
  GuiDriver driver(kUsualSize);
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    for (const View view : {kTableView, kFitView, kSpreadView}) {
      driver.app().view.view = view;
      IM_CHECK(driver.wait_for(context, [&] {
        return driver.app().experiments.of(view).update.phase == ExperimentPhase::kDone;
      }));
      for (const Size size : {Size{1024, 600}, {1024, 400}, {1280, 720}, {1920, 1080}}) {
        driver.lab().window().resize(size);
        context->Yield(3);
        const ImRect plot = place_of(context, "**/axes plot 0");
        EXPECT_GE(plot.GetWidth(), 200) << view_title(view) << " " << size.width;
        EXPECT_GE(plot.GetHeight(), 75) << view_title(view) << " " << size.height;
      }
    }
  });
}

TEST(LayoutWindow, TheColourScaleIsChosenAtTheColourBar) {
  GuiDriver driver(kUsualSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/colour scale");
    context->ItemClick("**/###scale logarithmic");
    EXPECT_EQ(driver.app().view.colour_scale, ColourScale::kLogarithmic);
    context->Yield(2);
    EXPECT_FALSE(there(context, "**/###scale logarithmic"));
  });
}

// What has no button in a narrow window is a line of the menu behind the others, and does the same.
TEST(LayoutWindow, EveryActionOfTheTopBarIsReachedInEveryWidth) {
  GuiDriver driver({1920, 700});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    for (const int width : {1920, 1024, 800, 720, 640}) {
      driver.lab().window().resize({width, 700});
      context->Yield(3);
      if (there(context, "**/Present")) {
        context->ItemClick("**/Present");
      } else {
        context->ItemClick(there(context, "**/###more") ? "**/###more" : "**/Views");
        context->ItemClick("**/###present");
      }
      context->Yield(2);
      EXPECT_TRUE(presents(driver.app())) << width;
      context->KeyPress(ImGuiKey_Escape);
      IM_CHECK(driver.wait_for(context, [&] { return driver.app().presentation == nullptr; }));
    }
  });
}

// In large type the maps have no room for the colour bar beside their title.
TEST(LayoutWindow, TheColourScaleIsChosenInLargeTypeToo) {
  GuiDriver driver(kUsualSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.lab().window().resize({1280, 720});
    driver.app().view.ui_scale = 3;
    context->Yield(3);
    context->MouseMoveToPos({600, 450});
    context->MouseWheelY(-30);  // it stands below the last strip
    context->Yield(5);
    context->ItemClick("**/colour scale");
    context->ItemClick("**/###scale linear");
    EXPECT_EQ(driver.app().view.colour_scale, ColourScale::kLinear);
  });
}

// There a view shows its figure first, not only the sentence about it.
TEST(LayoutWindow, LargeTypeShowsTheFigureBeforeItsSentence) {
  GuiDriver driver(kUsualSize);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.view = kFitView;
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.app().experiments.of(kFitView).result != nullptr; }));
    driver.lab().window().resize({1280, 720});
    driver.app().view.ui_scale = 3;
    context->Yield(3);
    const ImRect plot = place_of(context, "**/axes plot 0");
    EXPECT_GT(plot.GetHeight(), 0);
    EXPECT_LT(plot.Max.y, 720);
  });
}

}  // namespace
}  // namespace dispersion

// The studies' views, with figures that are made up: whatever they are of, the window must hold.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "tests/gui/driver.h"
#include "tests/gui/synthetic_study.h"

namespace dispersion {
namespace {

constexpr Size kDesk = {1600, 1000};

std::vector<View> all_views() {
  std::vector<View> views;
  for (const ViewName& name : kViews)
    views.push_back(name.view);
  return views;
}

void use(GuiDriver& driver, StudyPlanner planner) {
  driver.app().studies.planner = std::move(planner);
  driver.app().studies.views = all_views();
}

bool settled(GuiDriver& driver, ImGuiTestContext* context, View view) {
  return driver.wait_for(context, [&] {
    const StudyState& study = driver.app().studies.of(view);
    return study.news.phase == StudyPhase::kDone || study.news.phase == StudyPhase::kFailed;
  });
}

TEST(Studies, EveryViewOpensByItsKeyAndByTheMouse) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner());
  driver.run([&](ImGuiTestContext* context) {
    for (int key = 2; key <= 9; ++key) {
      context->KeyPress(static_cast<ImGuiKey>(ImGuiKey_0 + key));
      context->Yield(2);
      const View view = kViews[static_cast<std::size_t>(key - 1)].view;
      IM_CHECK_EQ(driver.app().view.view, view);
      IM_CHECK(settled(driver, context, view));
      context->Yield(3);
    }
    context->ItemClick("**/Fit");
    IM_CHECK_EQ(driver.app().view.view, View::kFit);
    context->ItemClick("**/Theory");
    context->ItemClick("**/###lineSpread");
    IM_CHECK_EQ(driver.app().view.view, View::kSpread);
    context->KeyPress(ImGuiKey_1);
    IM_CHECK_EQ(driver.app().view.view, View::kAttention);
    IM_CHECK(driver.wait_for_picture(context));
  });
}

TEST(Studies, AStudyIsStoppedAndGoesOn) {
  const auto release = std::make_shared<std::atomic<bool>>(false);
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner(release));
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    const StudyState& study = driver.app().studies.of(View::kTable);
    IM_CHECK(driver.wait_for(context, [&] { return study.result != nullptr; }));
    IM_CHECK_EQ(study.result->figure.tables[0].rows.size(), 2U);
    context->Yield(2);
    context->ItemClick("**/Stop###study");
    IM_CHECK(driver.wait_for(context, [&] { return study.news.phase == StudyPhase::kStopped; }));
    IM_CHECK(study.held);
    *release = true;
    context->Yield(2);
    context->ItemClick("**/Go on###study");
    IM_CHECK(driver.wait_for(context, [&] { return study.news.phase == StudyPhase::kDone; }));
    IM_CHECK_EQ(study.result->figure.tables[0].rows.size(), 3U);
  });
}

TEST(Studies, AFailureIsToldInPlaceAndCanBeTriedAgain) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_7);
    IM_CHECK_EQ(driver.app().view.view, View::kDepth);
    IM_CHECK(settled(driver, context, View::kDepth));
    const StudyState& study = driver.app().studies.of(View::kDepth);
    IM_CHECK(!study.news.error.empty());
    context->Yield(2);
    const std::uint64_t asked = study.asked;
    context->ItemClick("**/Try again###study");
    IM_CHECK(driver.wait_for(context, [&] { return study.asked == asked + 1; }));
  });
}

TEST(Studies, EverythingIsCopiedInFull) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    IM_CHECK(settled(driver, context, View::kTable));
    context->Yield(2);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    std::string copied = ImGui::GetClipboardText();
    for (const char* part : {"run hash", "A sentence that says", "A note below", "low\thigh"})
      EXPECT_NE(copied.find(part), std::string::npos) << part;
    context->ItemClick("**/table 00");
    copied = ImGui::GetClipboardText();
    EXPECT_EQ(copied.substr(0, 10), "softmax\t%\t");
  });
}

TEST(Studies, ASurfaceIsTurnedWithTheMouse) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_4);
    IM_CHECK(settled(driver, context, View::kSurfaces));
    context->Yield(2);
    context->ItemClick("**/surfaces");
    IM_CHECK(driver.app().view.surfaces);
    context->Yield(2);
    const SurfaceView before = driver.lab().panels().surface;
    context->ItemDragWithDelta("**/turn", {60, 20});
    IM_CHECK_GT(driver.lab().panels().surface.azimuth, before.azimuth);
    IM_CHECK_GT(driver.lab().panels().surface.elevation, before.elevation);
    context->ItemDoubleClick("**/turn");
    context->Yield(2);
    IM_CHECK(driver.lab().panels().surface == SurfaceView());
  });
}

TEST(Studies, AFitIsPutToUseAndThePapersRuleComesBack) {
  GuiDriver driver(kDesk);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().study_settings.fit.sets = 16;
    context->KeyPress(ImGuiKey_3);
    const StudyState& study = driver.app().studies.of(View::kFit);
    IM_CHECK(settled(driver, context, View::kFit));
    IM_CHECK(study.result->rule.has_value());
    context->Yield(2);
    context->ItemClick("**/###use rule");
    IM_CHECK(driver.app().view.rule == *study.result->rule);
    context->ItemClick("**/###use guarded");
    IM_CHECK(driver.app().view.rule == *study.result->guarded_rule);
    context->KeyPress(ImGuiKey_1);
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(driver.app().snapshot->transforms[1].frames[5].transform.rule ==
             *study.result->guarded_rule);
    context->KeyPress(ImGuiKey_3);
    context->Yield(2);
    context->ItemClick("**/Paper's rule");
    IM_CHECK(driver.app().view.rule == AdaptiveRule());
  });
}

TEST(Studies, ThoseOfTheHeadFollowItWhileItTrains) {
  GuiDriver driver(kDesk);
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
    context->KeyPress(ImGuiKey_5);
    IM_CHECK_EQ(driver.app().view.view, View::kBounds);
    context->KeyPress(ImGuiKey_Space);
    const StudyState& study = driver.app().studies.of(View::kBounds);
    const auto step = [&] {
      for (const auto& [name, value] : study.result->figure.provenance)
        if (name == "step") return std::stoll(value);
      return -1LL;
    };
    IM_CHECK(driver.wait_for(context, [&] { return study.result && step() > 0; }));
    const long long first = step();
    IM_CHECK(driver.wait_for(context, [&] { return step() > first; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().status.phase == RunPhase::kPaused && !study.busy() &&
             step() == driver.app().status.step;
    }));
  });
}

// Dear ImGui's own assertions and error checks watch.
TEST(Studies, EverySizeScaleAndViewDraws) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner());
  driver.run([&](ImGuiTestContext* context) {
    PanelState& panels = driver.lab().panels();
    for (const View view : all_views()) {
      driver.app().view.view = view;
      context->Yield(2);
      if (view != View::kAttention) {
        IM_CHECK(settled(driver, context, view));
      }
    }
    for (const Size size :
         {Size{1600, 1000}, {1280, 720}, {900, 500}, {600, 420}, {320, 200}, {80, 40}, {1, 1}}) {
      driver.lab().window().resize(size);
      for (const float zoom : {0.5F, 1.0F, 3.0F}) {
        driver.app().view.ui_scale = zoom;
        for (const View view : all_views()) {
          driver.app().view.view = view;
          driver.app().view.surfaces = zoom != 1;
          panels.study_settings = view == View::kFit;
          context->Yield();
        }
      }
    }
  });
}

TEST(Studies, TheWindowClosesWhileOneIsComputed) {
  GuiDriver driver(kDesk);
  use(driver, synthetic_planner(std::make_shared<std::atomic<bool>>(false)));
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().studies.of(View::kTable).news.phase == StudyPhase::kRunning;
    }));
  });
  driver.close();
}

}  // namespace
}  // namespace dispersion

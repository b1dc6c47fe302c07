// The views of the experiments. Most tests use made-up figures, since the window must be able to
// draw any.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "app/export/provenance.h"
#include "app/session/state_string.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

void use(GuiDriver& driver, MakeRequest make_request) {
  driver.app().experiments.make_request = std::move(make_request);
  driver.app().experiments.views = window_views();
}

bool settled(GuiDriver& driver, ImGuiTestContext* context, View view) {
  return driver.wait_for(context, [&] {
    const ExperimentState& experiment = driver.app().experiments.of(view);
    return experiment.update.phase == ExperimentPhase::kDone ||
           experiment.update.phase == ExperimentPhase::kFailed;
  });
}

TEST(Experiments, EveryViewOpensByItsKeyAndByTheMouse) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    for (int key = 2; key <= 9; ++key) {
      context->KeyPress(static_cast<ImGuiKey>(ImGuiKey_0 + key));
      context->Yield(2);
      const View view = window_views()[static_cast<std::size_t>(key - 1)];
      IM_CHECK_EQ(driver.app().view.view, view);
      IM_CHECK(settled(driver, context, view));
      context->Yield(3);
    }
    context->ItemClick("**/Fit");
    IM_CHECK_EQ(driver.app().view.view, kFitView);
    context->ItemClick("**/Theory");
    context->ItemClick("**/###lineSpread");
    IM_CHECK_EQ(driver.app().view.view, kSpreadView);
    // The menu keeps its name.
    EXPECT_NE(text_on_screen(context).find("Theory: Spread"), std::string::npos);
    context->KeyPress(ImGuiKey_1);
    IM_CHECK_EQ(driver.app().view.view, View::kAttention);
    IM_CHECK(driver.wait_for_picture(context));
  });
}

TEST(Experiments, AnExperimentIsStoppedAndGoesOn) {
  const auto release = std::make_shared<std::atomic<bool>>(false);
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests(release));
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    const ExperimentState& experiment = driver.app().experiments.of(kTableView);
    IM_CHECK(driver.wait_for(context, [&] { return experiment.result != nullptr; }));
    IM_CHECK_EQ(experiment.result->figure.tables[0].rows.size(), 2U);
    context->Yield(2);
    context->ItemClick("**/Stop###experiment");
    IM_CHECK(driver.wait_for(context,
                             [&] { return experiment.update.phase == ExperimentPhase::kStopped; }));
    IM_CHECK(experiment.held);
    *release = true;
    context->Yield(2);
    context->ItemClick("**/Go on###experiment");
    IM_CHECK(driver.wait_for(context,
                             [&] { return experiment.update.phase == ExperimentPhase::kDone; }));
    IM_CHECK_EQ(experiment.result->figure.tables[0].rows.size(), 3U);
  });
}

TEST(Experiments, AFailureIsToldInPlaceAndCanBeTriedAgain) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_7);
    IM_CHECK_EQ(driver.app().view.view, kDepthView);
    IM_CHECK(settled(driver, context, kDepthView));
    const ExperimentState& experiment = driver.app().experiments.of(kDepthView);
    IM_CHECK(!experiment.update.error.empty());
    context->Yield(2);
    context->ItemClick("**/###copy failure");
    context->Yield(2);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_EQ(copied, as_sentence(experiment.update.error));
    EXPECT_NE(copied.find("choose fewer layers or a smaller width"), std::string::npos);
    const std::uint64_t asked = experiment.asked;
    context->ItemClick("**/Try again###experiment");
    IM_CHECK(driver.wait_for(context, [&] { return experiment.asked == asked + 1; }));
  });
}

TEST(Experiments, AFailureAboveAnOlderFigureIsReadWholeAndCopied) {
  GuiDriver driver({1024, 600});
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_3);
    IM_CHECK(settled(driver, context, kFitView));
    ExperimentUpdate& update = driver.app().experiments.of(kFitView).update;
    update.phase = ExperimentPhase::kFailed;
    update.error = "the device is too full for " + std::string(40, 'x') +
                   ", and for what comes after it, of which there is a great deal more to say";
    context->Yield(2);
    IM_CHECK(text_on_screen(context).find("a great deal more to say") != std::string::npos);
    context->ItemClick("**/###copy failure");
    context->Yield(2);
    EXPECT_EQ(ImGui::GetClipboardText(), as_sentence(update.error));
  });
}

TEST(Experiments, EverythingIsCopiedInFull) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    IM_CHECK(settled(driver, context, kTableView));
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

TEST(Experiments, ASurfaceIsTurnedWithTheMouseAsASettingOfItsView) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_4);
    IM_CHECK(settled(driver, context, kSurfaceView));
    context->Yield(2);
    context->ItemClick("**/surfaces");
    IM_CHECK(driver.app().view.surfaces);
    context->Yield(2);
    AppState& app = driver.app();
    const SurfaceView& seen = seen_from(app, kSurfaceView);
    const std::size_t steps = app.undo.done().size();
    context->ItemDragWithDelta("**/turn", {60, 20});
    context->Yield(2);
    const SurfaceView turned = seen;
    IM_CHECK_GT(turned.azimuth, SurfaceView().azimuth);
    IM_CHECK_GT(turned.elevation, SurfaceView().elevation);
    // One step of undo, which a state keeps; surfaces of other views are where they were.
    IM_CHECK_EQ(app.undo.done().size(), steps + 1);
    IM_CHECK_STR_EQ(app.undo.done().back().what.c_str(), "turn of a surface");
    const DeskState state = decode_state(state_string(app));
    IM_CHECK(state.settings.zooms.at("surface").seen_from == turned);
    IM_CHECK(seen_from(app, kSpreadView) == SurfaceView());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    context->Yield(2);
    IM_CHECK(seen_from(app, kSurfaceView) == SurfaceView());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    context->Yield(2);
    IM_CHECK(seen_from(app, kSurfaceView) == turned);
    IM_CHECK(figure_snapshots(app).at(0).view == turned);
    context->ItemDoubleClick("**/turn");
    context->Yield(2);
    IM_CHECK(seen_from(app, kSurfaceView) == SurfaceView());
  });
}

TEST(Experiments, AFitIsPutToUseAndThePapersRuleComesBack) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().experiment_settings.of(kFitView).set("sets", 16);
    context->KeyPress(ImGuiKey_3);
    const ExperimentState& experiment = driver.app().experiments.of(kFitView);
    IM_CHECK(settled(driver, context, kFitView));
    IM_CHECK(experiment.result->rule.has_value());
    context->Yield(2);
    context->ItemClick("**/###use rule");
    IM_CHECK(driver.app().view.rule == *experiment.result->rule);
    context->ItemClick("**/###use guarded");
    IM_CHECK(driver.app().view.rule == *experiment.result->guarded_rule);
    context->KeyPress(ImGuiKey_1);
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(driver.app().snapshot->transforms[1].frames[5].transform.rule ==
             *experiment.result->guarded_rule);
    context->KeyPress(ImGuiKey_3);
    context->Yield(2);
    context->ItemClick("**/Paper's rule");
    IM_CHECK(driver.app().view.rule == AdaptiveRule());
  });
}

// A rule that was fitted to one head is marked while another is open.
TEST(Experiments, ARuleThatWasFittedToAnotherHeadSaysSo) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    app.experiment_settings.of(kFitView).set("sets", 16);
    const auto fit_and_use = [&] {
      context->KeyPress(ImGuiKey_3);
      IM_CHECK(driver.wait_for(context, [&] {
        const ExperimentState& fit = app.experiments.of(kFitView);
        return fit.result && fit.result_complete &&
               provenance_value(fit.result->figure.provenance, "seed") ==
                   std::to_string(app.status.seed);
      }));
      context->Yield(2);
      context->ItemClick("**/###use rule");
      context->KeyPress(ImGuiKey_1);
      context->Yield(2);
    };
    const auto mark = [&] { return text_on_screen(context).find("not this head"); };
    fit_and_use();
    EXPECT_NE(text_on_screen(context).find("β fitted to seed 1, step 100 000"), std::string::npos);
    EXPECT_EQ(mark(), std::string::npos);
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 2; }));
    context->Yield(2);
    EXPECT_NE(mark(), std::string::npos);
    fit_and_use();
    EXPECT_NE(text_on_screen(context).find("β fitted to seed 2, step 0"), std::string::npos);
    EXPECT_EQ(mark(), std::string::npos);
  });
}

TEST(Experiments, ThoseOfTheHeadFollowItWhileItTrains) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
    context->KeyPress(ImGuiKey_5);
    IM_CHECK_EQ(driver.app().view.view, kBoundsView);
    context->KeyPress(ImGuiKey_Space);
    const ExperimentState& experiment = driver.app().experiments.of(kBoundsView);
    const auto step = [&] {
      for (const auto& [name, value] : experiment.result->figure.provenance)
        if (name == "step") return std::stoll(value);
      return -1LL;
    };
    IM_CHECK(driver.wait_for(context, [&] { return experiment.result && step() > 0; }));
    const long long first = step();
    IM_CHECK(driver.wait_for(context, [&] { return step() > first; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().status.phase == RunPhase::kPaused && !experiment.busy() &&
             step() == driver.app().status.step;
    }));
  });
}

// There is nothing to compare: the test fails when an assertion of Dear ImGui does.
TEST(Experiments, EverySizeScaleAndViewDraws) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    PanelState& panels = driver.lab().panels();
    for (const View view : window_views()) {
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
        for (const View view : window_views()) {
          driver.app().view.view = view;
          driver.app().view.surfaces = zoom != 1;
          panels.experiment_settings = view == kFitView;
          context->Yield();
        }
      }
    }
  });
}

TEST(Experiments, TheWindowClosesWhileOneIsComputed) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests(std::make_shared<std::atomic<bool>>(false)));
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_2);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().experiments.of(kTableView).update.phase == ExperimentPhase::kRunning;
    }));
  });
  driver.close();
}

}  // namespace
}  // namespace dispersion

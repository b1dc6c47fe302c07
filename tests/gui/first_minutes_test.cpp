// A newcomer's first five minutes: the tour of the README, with the keys that it names.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/session/frame_at.h"
#include "core/io/file.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

class FirstMinutes : public testing::Test {
 protected:
  FirstMinutes() { std::filesystem::remove_all(folder_); }
  ~FirstMinutes() override { std::filesystem::remove_all(folder_); }

  AppState& app() { return driver_->app(); }
  double entropy(int items) { return frame_at(app(), items).plain()->mean_entropy; }

  void trains(ImGuiTestContext* context);
  void doubles(ImGuiTestContext* context);
  void sharpens(ImGuiTestContext* context);
  void looks_around(ImGuiTestContext* context);
  void zooms(ImGuiTestContext* context);
  void exports(ImGuiTestContext* context);

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "dispersion_first_minutes";
  std::unique_ptr<GuiDriver> driver_;
};

// Space: the head trains on, and pictures and numbers follow.
void FirstMinutes::trains(ImGuiTestContext* context) {
  IM_CHECK(driver_->wait_for_picture(context));
  context->KeyPress(ImGuiKey_Space);
  IM_CHECK(driver_->wait_for(context, [&] { return app().history.size() >= 20; }));
  IM_CHECK_EQ(app().status.phase, RunPhase::kTraining);
  IM_CHECK(driver_->wait_for(context, [&] { return app().snapshot->step >= 20; }));
  context->KeyPress(ImGuiKey_Space);
  IM_CHECK(driver_->wait_for(context, [&] { return app().status.phase == RunPhase::kPaused; }));
  IM_CHECK(driver_->wait_for_picture(context));
  context->Yield(2);
  EXPECT_EQ(driver_->shown("Training", "step"),
            std::to_string(app().status.steps_before + app().status.step));
}

// Right: with more items the head lets go of the maximum.
void FirstMinutes::doubles(ImGuiTestContext* context) {
  const int before = app().view.focused_items;
  for (int i = 0; i < 3; ++i)
    context->KeyPress(ImGuiKey_RightArrow);
  context->Yield(2);
  EXPECT_EQ(app().view.focused_items, 8 * before);
  EXPECT_GT(entropy(8 * before), entropy(16));
  EXPECT_LT(frame_at(app(), 8 * before).plain()->mean_weight_on_max,
            frame_at(app(), 16).plain()->mean_weight_on_max);
  EXPECT_FALSE(driver_->shown("Why", "expected top gap").empty());
}

// A, and the slider of the temperature.
void FirstMinutes::sharpens(ImGuiTestContext* context) {
  const int items = app().view.focused_items;
  const FrameAt at = frame_at(app(), items);
  EXPECT_LT(at.transforms[1].frame->mean_entropy, at.plain()->mean_entropy);
  context->KeyPress(ImGuiKey_A);
  context->Yield(2);
  EXPECT_EQ(driver_->lab().panels().figures.grid().strips.size(), 1U);
  context->KeyPress(ImGuiKey_A);
  const double before = entropy(items);
  context->ItemDragWithDelta("**/theta slider", {-60, 0});
  EXPECT_LT(app().view.theta, 1.0);
  IM_CHECK(driver_->wait_for_picture(context));
  EXPECT_LT(entropy(items), before);
  context->KeyPress(ImGuiKey_0);
  EXPECT_EQ(app().view.theta, 1.0);
}

// 2 to 9: every view says what it shows, and those that the program brings along are there.
void FirstMinutes::looks_around(ImGuiTestContext* context) {
  for (int key = 2; key <= 9; ++key) {
    context->KeyPress(static_cast<ImGuiKey>(ImGuiKey_0 + key));
    context->Yield(2);
    const View view = app().view.view;
    EXPECT_EQ(view, window_views()[static_cast<std::size_t>(key - 1)]);
    const ExperimentState& experiment = app().experiments.of(view);
    IM_CHECK(driver_->wait_for(context,
                               [&] { return experiment.result != nullptr || experiment.busy(); }));
    EXPECT_NE(experiment.update.phase, ExperimentPhase::kFailed) << experiment.update.error;
  }
  context->KeyPress(ImGuiKey_2);
  IM_CHECK(driver_->wait_for(
      context, [&] { return app().experiments.of(app().view.view).result_complete; }));
  context->KeyPress(ImGuiKey_1);
  IM_CHECK(driver_->wait_for_picture(context));
}

// The wheel over a plot, and F for all of it again.
void FirstMinutes::zooms(ImGuiTestContext* context) {
  context->MouseMove("**/axes Accuracy");
  context->MouseWheelY(2);
  context->Yield(2);
  EXPECT_TRUE(app().zooms[kCurvesFigure].items.has_value());
  context->KeyPress(ImGuiKey_F);
  context->Yield(2);
  EXPECT_FALSE(app().zooms[kCurvesFigure].items.has_value());
}

// Ctrl+E: what is shown becomes a figure; F1 lists the keys.
void FirstMinutes::exports(ImGuiTestContext* context) {
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  context->Yield(2);
  IM_CHECK(app().exporting.open);
  context->ItemInput("**/##path");
  context->KeyCharsReplace((folder_ / "first.pdf").c_str());
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
  IM_CHECK(
      driver_->wait_for(context, [&] { return std::filesystem::exists(folder_ / "first.pdf"); }));
  IM_CHECK(driver_->wait_for(context, [&] { return !app().exporting.open; }));
  IM_CHECK(!app().reports.empty());
  EXPECT_TRUE(app().reports.back().ok) << app().reports.back().text;
  context->KeyPress(ImGuiKey_F1);
  context->Yield(2);
  EXPECT_TRUE(driver_->lab().panels().keys_shown);
  context->KeyPress(ImGuiKey_Escape);
}

TEST_F(FirstMinutes, TheTourOfTheReadme) {
  std::filesystem::create_directories(folder_);
  driver_ = std::make_unique<GuiDriver>(Size{1280, 800}, folder_ / "settings.json");
  driver_->run([&](ImGuiTestContext* context) {
    trains(context);
    doubles(context);
    sharpens(context);
    looks_around(context);
    zooms(context);
    exports(context);
  });
  for (const Report& report : app().reports)
    EXPECT_TRUE(report.ok) << report.text;
  // Closing in the middle of training keeps what was set.
  const ViewSettings left = app().view;
  driver_->lab().session().send(PlayCommand{});
  driver_->lab().window().close();
  driver_->lab().run();
  driver_.reset();
  GuiDriver again({1280, 800}, folder_ / "settings.json");
  EXPECT_TRUE(again.app().view == left);
}

}  // namespace
}  // namespace dispersion

// Exporting what is still being computed: figures are of one state, and unfinished ones are waited
// for or chosen knowingly.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/export/figure_file.h"
#include "app/export/provenance.h"
#include "app/panels/panels.h"
#include "app/session/state_order.h"
#include "app/session/state_snapshot.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1100, 760};

class ExportWaiting : public testing::Test {
 protected:
  ExportWaiting() { ::setenv("HOME", folder_.path().c_str(), 1); }

  // A new run that trains, with frames of different steps in view.
  static bool trains(GuiDriver& driver, ImGuiTestContext* context) {
    driver.lab().session().send(NewRunCommand{Recipe(), 7});
    if (!driver.wait_for_picture(context)) return false;
    driver.lab().session().send(PlayCommand{.stop_at = 1'000'000});
    if (!driver.trains_to(context, 100)) return false;
    // The copy of the head comes a little later, and one of step 0 has no curves of training.
    const AppState& app = driver.app();
    return driver.wait_for(
        context, [&] { return app.head.run == app.status.run && app.head.state->step > 0; });
  }

  static bool opens(GuiDriver& driver, ImGuiTestContext* context) {
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(3);
    return driver.app().exporting.open;
  }

  // Waits until nothing is ordered any more.
  static bool done(GuiDriver& driver, ImGuiTestContext* context) {
    context->Yield(2);
    const ExportState& exporting = driver.app().exporting;
    return driver.wait_for(
        context, [&] { return exporting.underway == 0 && !exporting.save && !exporting.copy_data; },
        200);
  }

  // The bytes that the dialog would write for each of its figures.
  static std::vector<std::string> bytes_of_all(const ExportState& exporting) {
    std::vector<std::string> all;
    for (const FigureSnapshot& shown : exporting.figures) {
      for (const char* format : {"svg", "json"})
        all.push_back(export_bytes({shown, &figure_format(format), exporting.settings}));
    }
    return all;
  }

  static std::string_view step_of(const FigureSnapshot& shown) {
    return provenance_value(shown.figure->provenance, "step");
  }

  TemporaryFolder folder_;
};

TEST_F(ExportWaiting, FiguresOfARunThatTrainsAreThoseOfThePausedRunAtThatStep) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(trains(driver, context));
    IM_CHECK(opens(driver, context));
    ExportState& exporting = driver.app().exporting;
    IM_CHECK(exporting.waiting);
    IM_CHECK(driver.wait_for(context, [&] { return exporting.order != nullptr; }));
    const std::int64_t step = exporting.order->state.head.state->step;
    exporting.settings.path = folder_ / "while it trains.svg";
    path_typed(exporting);
    context->ItemClick("**/###do");  // waits with progress, and says so
    context->Yield(2);
    EXPECT_TRUE(exporting.save);
    EXPECT_TRUE(export_wait_text(driver.app()).starts_with("Every n at step "));
    IM_CHECK(done(driver, context));
    EXPECT_EQ(driver.app().status.phase, RunPhase::kTraining);
    EXPECT_EQ(exporting.figures.size(), 3U);
    for (const FigureSnapshot& shown : exporting.figures)
      EXPECT_EQ(step_of(shown), std::to_string(step)) << shown.name;
    const std::vector<std::string> of_state = bytes_of_all(exporting);
    EXPECT_EQ(read_bytes(folder_ / "while it trains.svg"), of_state[0]);

    driver.lab().session().send(RewindCommand{});
    driver.lab().session().send(PlayCommand{.stop_at = step});
    const AppState& app = driver.app();
    IM_CHECK(driver.wait_for(
        context,
        [&] {
          return app.status.phase == RunPhase::kFinished && app.snapshot &&
                 is_final(*app.snapshot, app.head);
        },
        200));
    IM_CHECK(opens(driver, context));
    EXPECT_FALSE(exporting.waiting);
    const std::vector<std::string> of_pause = bytes_of_all(exporting);
    IM_CHECK_EQ(of_pause.size(), of_state.size());
    for (std::size_t i = 0; i < of_pause.size(); ++i)
      EXPECT_TRUE(of_state[i] == of_pause[i]) << "file " << i << " differs";
  });
}

TEST_F(ExportWaiting, ClosingTheDialogStopsTheComputation) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(trains(driver, context));
    IM_CHECK(opens(driver, context));
    const ExperimentState& computing = driver.app().experiments.of(View::kAttention);
    IM_CHECK(driver.wait_for(context,
                             [&] { return computing.update.phase == ExperimentPhase::kRunning; }));
    context->ItemClick("**/###away");
    IM_CHECK(driver.wait_for(context,
                             [&] { return computing.update.phase == ExperimentPhase::kStopped; }));
    EXPECT_FALSE(driver.app().exporting.order);
    EXPECT_FALSE(driver.app().exporting.waiting);
  });
}

TEST_F(ExportWaiting, WhatIsThereIsExportedOnlyWhenItIsChosen) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(trains(driver, context));
    IM_CHECK(opens(driver, context));
    ExportState& exporting = driver.app().exporting;
    exporting.settings.path = folder_ / "as it is.json";
    path_typed(exporting);
    const auto seen = exporting.figure()->figure;
    context->ItemClick("**/Use what is there");
    context->Yield(2);
    EXPECT_FALSE(exporting.waiting);
    EXPECT_EQ(exporting.figure()->figure, seen);
    context->ItemClick("**/###do");
    IM_CHECK(done(driver, context));
    const auto stored = stored_figure("a", read_bytes(folder_ / "as it is.json"));
    IM_CHECK(stored.has_value());
    EXPECT_EQ(stored->sentence.text(), seen->sentence.text());
  });
}

TEST_F(ExportWaiting, ACopyOfTheFigureWaitsInTheDialogAndClosesIt) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(trains(driver, context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_D);
    context->Yield(2);
    ExportState& exporting = driver.app().exporting;
    IM_CHECK(exporting.open && exporting.copy_data);
    IM_CHECK(done(driver, context));
    EXPECT_FALSE(exporting.open);
    const std::string data = ImGui::GetClipboardText();
    EXPECT_NE(data.find("# step: " + std::string(step_of(*exporting.figure())) + "\n"),
              std::string::npos);
  });
}

TEST_F(ExportWaiting, AnUnfinishedExperimentIsWaitedForOrChosen) {
  GuiDriver driver(kWindowSize);
  const auto release = std::make_shared<std::atomic<bool>>(false);
  driver.app().experiments.make_request = synthetic_requests(release);
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    app.view.view = kTableView;
    IM_CHECK(
        driver.wait_for(context, [&] { return app.experiments.of(kTableView).result != nullptr; }));
    IM_CHECK(opens(driver, context));
    EXPECT_TRUE(app.exporting.waiting);
    const auto partial = app.exporting.figure()->figure;
    EXPECT_FALSE(provenance_value(partial->provenance, "progress").empty());
    EXPECT_TRUE(export_wait_text(app).starts_with("Being computed: "));
    app.exporting.settings.path = folder_ / "table.json";
    path_typed(app.exporting);
    app.exporting.save = true;
    context->Yield(10);
    EXPECT_TRUE(app.exporting.save);  // still waits
    release->store(true);
    IM_CHECK(done(driver, context));
    const auto stored = stored_figure("a", read_bytes(folder_ / "table.json"));
    IM_CHECK(stored.has_value());
    EXPECT_EQ(provenance_value(stored->provenance, "progress"), "");
    EXPECT_GT(stored->tables.at(0).rows.size(), 0U);
  });
}

}  // namespace
}  // namespace dispersion

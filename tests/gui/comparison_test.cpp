// A pinned state beside the present one, through the window.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/panels/compared_figures.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "app/session/state_snapshot.h"
#include "app/session/view_schedule.h"
#include "tests/gui/driver.h"
#include "tests/gui/shown_number.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1440, 900};

// Waits until A is complete, B's picture is, and pairs are counted over all sets.
bool compared(GuiDriver& driver, ImGuiTestContext* context) {
  AppState& app = driver.app();
  const bool complete = driver.wait_for(
      context,
      [&] {
        const bool both = app.comparison && app.comparison->a.snapshot && app.snapshot &&
                          is_final(*app.comparison->a.snapshot, app.comparison->a.head) &&
                          !app.stale() && is_final(*app.snapshot, app.head);
        const ComparedPairs* pairs = both ? present_pairs(app) : nullptr;
        return pairs != nullptr && pairs->version == app.head.version &&
               std::ranges::all_of(pairs->pairs, [](const SizePair& pair) {
                 return pair.sets == most_row_sets(pair.items);
               });
      },
      200);
  context->Yield(3);
  return complete;
}

TEST(ComparisonWindow, PinningShowsBothAndTheDifferenceOnTheSameSets) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/A | B");
    IM_CHECK(app.comparison != nullptr);
    IM_CHECK(what_differs(app).empty());
    context->ItemInputValue("**/temperature θ/##number", 0.5F);
    IM_CHECK_EQ(app.view.theta, 0.5);
    IM_CHECK_EQ(app.comparison->a.view.theta, 1.0);
    IM_CHECK_STR_EQ(what_differs(app).c_str(), "temperature θ 1 → 0.5");
    IM_CHECK(compared(driver, context));
    for (const TransformAt& of_b : frame_at(app, 1024).transforms) {
      const FrameAt a = frame_at(app.comparison->a, 1024);
      const auto of_a = std::ranges::find(a.transforms, of_b.id, &TransformAt::id);
      const std::string section(transform_definition(of_b.id).label);
      IM_CHECK_EQ(number(driver.shown(section, "accuracy (%), A")), 100 * of_a->row->accuracy());
      IM_CHECK_EQ(number(driver.shown(section, "accuracy (%), B")), 100 * of_b.row->accuracy());
      // The rows of the two pictures were counted apart from the pairs.
      const double points = 100.0 * static_cast<double>(of_b.row->correct - of_a->row->correct) /
                            static_cast<double>(of_b.row->sets);
      const double shown = number(driver.shown(section, "accuracy (%), B − A"));
      IM_CHECK_LT(std::abs(shown - points), 1e-9);
      IM_CHECK_EQ(number(driver.shown(section, "entropy H, B − A")),
                  of_b.row->mean_entropy() - of_a->row->mean_entropy());
      IM_CHECK_LT(number(driver.shown(section, "entropy H, B − A")), 0);  // B is sharper
    }
  });
}

TEST(ComparisonWindow, HeatMapsHaveStripsOfBothAndOfTheDifference) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.lab().panels().compared && app.comparison->a.snapshot; }));
    context->Yield(3);
    // A and B are the same: one strip.
    IM_CHECK_EQ(driver.lab().panels().compared->grid.strips.size(), 1U);
    context->ItemInputValue("**/temperature θ/##number", 2.0F);
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(3);
    const ComparedFigures& figures = *driver.lab().panels().compared;
    IM_CHECK_EQ(figures.grid.strips.size(), 3U);
    const AttentionFrame& a = *frame_at(app.comparison->a, 1024).transforms.back().frame;
    const AttentionFrame& b = *frame_at(app, 1024).transforms.back().frame;
    const std::vector<float>& shown = figures.grid.strips[2].frames[6].values;
    IM_CHECK_EQ(shown.size(), b.weights.size());
    for (std::size_t i = 0; i < shown.size(); ++i)
      IM_CHECK_EQ(shown[i], b.weights[i] - a.weights[i]);
    context->ItemClick("**/Difference");
    context->Yield(3);
    IM_CHECK_EQ(driver.lab().panels().compared->grid.strips.size(), 2U);
    context->ItemClick("**/Unpin");
    context->Yield(3);
    IM_CHECK(app.comparison == nullptr);
    IM_CHECK(driver.lab().panels().compared == nullptr);
  });
}

TEST(ComparisonWindow, TrainingLeavesAAsItIs) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 2; }));
    IM_CHECK(driver.wait_for(context, [&] { return app.head.run == app.status.run; }));
    context->KeyPress(ImGuiKey_B);
    const std::int64_t step = app.comparison->a.status.step;
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.trains_to(context, step + 30));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    IM_CHECK(compared(driver, context));
    const ViewSnapshot& a = *app.comparison->a.snapshot;
    IM_CHECK(std::ranges::all_of(a.frame_step, [&](std::int64_t each) { return each == step; }));
    IM_CHECK(std::ranges::all_of(a.row_step, [&](std::int64_t each) { return each == step; }));
    IM_CHECK(what_differs(app).starts_with("step "));
    IM_CHECK(app.snapshot->step > step);
  });
}

TEST(ComparisonWindow, SwapExchangesHeadsAndSettings) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const std::string first = run_hash(app.status.recipe, *app.head.state);
    context->KeyPress(ImGuiKey_B);
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state->seed == 2; }));
    const std::string second = run_hash(app.status.recipe, *app.head.state);
    app.view.theta = 0.25;
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Shift | ImGuiKey_B);
    IM_CHECK_EQ(app.view.theta, 1.0);
    IM_CHECK(driver.wait_for(
        context, [&] { return run_hash(app.status.recipe, *app.head.state) == first; }));
    const AppState& a = app.comparison->a;
    IM_CHECK_EQ(a.view.theta, 0.25);
    IM_CHECK_STR_EQ(run_hash(a.status.recipe, *a.head.state).c_str(), second.c_str());
    context->ItemClick("**/Swap");
    IM_CHECK_EQ(app.view.theta, 0.25);
    IM_CHECK(driver.wait_for(
        context, [&] { return run_hash(app.status.recipe, *app.head.state) == second; }));
  });
}

TEST(ComparisonWindow, AnExperimentShowsBoth) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    app.view.theta = 0.5;
    app.view.view = kBoundsView;
    const auto figure = [&] { return app.comparison->pictures.experiment(app, kBoundsView); };
    IM_CHECK(driver.wait_for(
        context,
        [&] {
          const ExperimentState& a = app.comparison->a.experiments.of(kBoundsView);
          const ExperimentState& b = app.experiments.of(kBoundsView);
          return a.update.phase == ExperimentPhase::kDone &&
                 b.update.phase == ExperimentPhase::kDone && figure() != nullptr;
        },
        200));
    context->Yield(3);
    const LinePlot& plot = figure()->plots[0];
    IM_CHECK(std::ranges::any_of(plot.series, [](const Series& series) {
      return series.name.starts_with("A: ") && series.line == LineStyle::kDashed;
    }));
    IM_CHECK(figure()->sentence.text().starts_with("B: "));  // both are too long
  });
}

}  // namespace
}  // namespace dispersion

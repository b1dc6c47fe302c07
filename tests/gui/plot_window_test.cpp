// Zooming plots with the mouse (wheel, drag, box, double click), hiding curves in the legend, and
// the effect of both on exported figures.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cmath>
#include <string>

#include "app/export/figure_data.h"
#include "app/session/figure_snapshots.h"
#include "core/figure/axis.h"
#include "tests/gui/driver.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindow = {1600, 1000};
constexpr const char* kAccuracy = "**/axes Accuracy";
constexpr const char* kEntropy = "**/axes Entropy of attention";

ImVec2 at(ImGuiTestContext* context, const char* item, float right, float down) {
  const ImRect box = context->ItemInfo(item).RectFull;
  return {box.Min.x + right * box.GetWidth(), box.Min.y + down * box.GetHeight()};
}

void drag(ImGuiTestContext* context, ImGuiMouseButton button, ImVec2 from, ImVec2 to) {
  context->MouseMoveToPos(from);
  context->MouseDown(button);
  context->MouseMoveToPos(to);
  context->MouseUp(button);
  context->Yield(2);
}

// A double click that is recognised even when frames take long.
void double_click(ImGuiTestContext* context) {
  ImGui::GetIO().MouseDoubleClickTime = 20;
  ImGui::GetIO().MouseSingleClickDelay = 21;  // Dear ImGui demands more than the double click time
  context->MouseDoubleClick();
  context->Yield(2);
}

FigureZoom& curves(GuiDriver& driver) {
  return driver.app().zooms[kCurvesFigure];
}

// The figure of the curves as it would be exported.
Figure exported(GuiDriver& driver) {
  for (const FigureSnapshot& shown : figure_snapshots(driver.app())) {
    if (shown.figure->name == kCurvesFigure) return *shown.figure;
  }
  ADD_FAILURE() << "no curves";
  return {};
}

const LinePlot& plot_named(const Figure& figure, const std::string& title) {
  for (const LinePlot& plot : figure.plots) {
    if (plot.title.text() == title) return plot;
  }
  ADD_FAILURE() << "no plot " << title;
  return figure.plots.at(0);
}

TEST(Plots, TheWheelMagnifiesAndAxesOfItemsAreLinked) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const LinePlot own = driver.lab().panels().figures.accuracy();
    context->MouseMoveToPos(at(context, kAccuracy, 0.5F, 0.5F));
    context->MouseWheelY(2);
    context->Yield(2);
    const FigureZoom zoom = curves(driver);
    IM_CHECK(zoom.items.has_value());
    IM_CHECK(zoom.plots.at(own.title).y.has_value());
    IM_CHECK_GT(zoom.items->low, own.x.low);
    IM_CHECK_LT(zoom.items->high, own.x.high);
    IM_CHECK_EQ(zoom.plots.size(), 1U);  // the other plot keeps its own y
    const Figure figure = exported(driver);
    for (const LinePlot& plot : figure.plots) {
      IM_CHECK_EQ(plot.x.low, zoom.items->low);
      IM_CHECK_EQ(plot.x.high, zoom.items->high);
    }
    IM_CHECK_EQ(plot_named(figure, own.title).y.high, zoom.plots.at(own.title).y->high);
    context->KeyPress(ImGuiKey_F);
    context->Yield(2);
    IM_CHECK_EQ(exported(driver).plots[0].x.low, own.x.low);
  });
}

TEST(Plots, OverAnAxisTheWheelIsAboutThatAxisAlone) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const std::string title = driver.lab().panels().figures.entropy().title;
    context->MouseMoveToPos(at(context, kEntropy, 0.5F, 0.97F));
    context->MouseWheelY(1);
    context->Yield(2);
    IM_CHECK(curves(driver).items.has_value());
    IM_CHECK(!curves(driver).plots.contains(title));
    context->MouseMoveToPos(at(context, kEntropy, 0.01F, 0.5F));
    context->MouseWheelY(1);
    context->Yield(2);
    IM_CHECK(curves(driver).plots.at(title).y.has_value());
    // A double click on the labels of an axis resets that axis alone, too.
    double_click(context);
    IM_CHECK(!curves(driver).plots.at(title).y.has_value());
    IM_CHECK(curves(driver).items.has_value());
  });
}

// The axes keep their place while the tick labels beside them become longer and shorter.
TEST(Plots, ADragThereAndBackChangesNothing) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const LinePlot own = driver.lab().panels().figures.entropy();
    const ImVec2 start = at(context, kEntropy, 0.5F, 0.5F);
    context->MouseMoveToPos(start);
    context->MouseDown(0);
    PanelState& panels = driver.lab().panels();
    const PlotFrame frame = panels.plot_drag.frame;
    IM_CHECK(frame.inside.width > 0);
    for (const ImVec2 way : {ImVec2{0.45F, 0.3F}, ImVec2{0.2F, 0.05F}, ImVec2{0.3F, 0.7F},
                             ImVec2{0.7F, 0.9F}, ImVec2{0.6F, 0.4F}}) {
      context->MouseMoveToPos(at(context, kEntropy, way.x, way.y));
      context->Yield(2);
      EXPECT_EQ(panels.plot_drag.frame.inside.width, frame.inside.width);
    }
    context->MouseMoveToPos(start);
    context->Yield(2);
    context->MouseUp(0);
    context->Yield(2);
    const AxisLimits x = *curves(driver).items;
    const AxisLimits y = *curves(driver).plots.at(own.title).y;
    EXPECT_NEAR(std::log(x.low / own.x.low), 0, 1e-9);
    EXPECT_NEAR(std::log(x.high / own.x.high), 0, 1e-9);
    EXPECT_NEAR(y.low, own.y.low, 1e-9);
    EXPECT_NEAR(y.high, own.y.high, 1e-9);
  });
}

TEST(Plots, ADragMovesAndADoubleClickFits) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const LinePlot own = driver.lab().panels().figures.accuracy();
    const int focused = driver.app().view.focused_items;
    drag(context, 0, at(context, kAccuracy, 0.5F, 0.5F), at(context, kAccuracy, 0.4F, 0.4F));
    IM_CHECK(curves(driver).items.has_value());
    IM_CHECK_GT(curves(driver).items->low, own.x.low);
    const AxisLimits y = *curves(driver).plots.at(own.title).y;
    IM_CHECK_LT(y.low, own.y.low);
    IM_CHECK_LT(std::abs(y.high - y.low - (own.y.high - own.y.low)), 1e-9);
    IM_CHECK_EQ(driver.app().view.focused_items, focused);  // a drag is not a click
    context->MouseMoveToPos(at(context, kAccuracy, 0.5F, 0.5F));
    double_click(context);
    IM_CHECK(!curves(driver).items.has_value());
    IM_CHECK(!curves(driver).plots.at(own.title).y.has_value());
  });
}

TEST(Plots, ABoxIsMagnifiedWithEitherButton) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const LinePlot own = driver.lab().panels().figures.accuracy();
    // A box that is dragged from the lower right to the upper left.
    drag(context, 1, at(context, kAccuracy, 0.7F, 0.6F), at(context, kAccuracy, 0.4F, 0.3F));
    IM_CHECK(curves(driver).items.has_value());
    const AxisLimits first = *curves(driver).items;
    IM_CHECK(first.low > own.x.low && first.high < own.x.high);
    const AxisLimits y = *curves(driver).plots.at(own.title).y;
    IM_CHECK(y.low > own.y.low && y.high < own.y.high);
    context->KeyDown(ImGuiMod_Shift);
    drag(context, 0, at(context, kAccuracy, 0.4F, 0.3F), at(context, kAccuracy, 0.7F, 0.6F));
    context->KeyUp(ImGuiMod_Shift);
    const AxisLimits second = *curves(driver).items;
    IM_CHECK(second.low > first.low && second.high < first.high);
    // A box of almost no width is taken for an accident.
    drag(context, 1, at(context, kAccuracy, 0.5F, 0.5F), at(context, kAccuracy, 0.502F, 0.7F));
    IM_CHECK(*curves(driver).items == second);
  });
}

TEST(Plots, AClickOnAPointStillChoosesItsItems) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    context->MouseMoveToPos(at(context, kAccuracy, 0.94F, 0.5F));
    context->MouseClick();
    context->Yield(2);
    IM_CHECK_EQ(driver.app().view.focused_items, 16384);
    IM_CHECK(!curves(driver).items.has_value());
  });
}

TEST(Plots, TheLegendHidesACurveInTheWindowAndInFiles) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    const std::string title = driver.lab().panels().figures.accuracy().title;
    context->ItemClick("**/legend softmax");
    context->Yield(2);
    IM_CHECK(curves(driver).plots.at(title).hidden.contains("softmax"));
    context->MouseMoveToPos(at(context, kEntropy, 0.5F, 0.5F));
    context->MouseWheelY(3);
    context->Yield(2);
    const Figure figure = exported(driver);
    IM_CHECK(plot_named(figure, title).series[0].hidden);
    IM_CHECK(!plot_named(figure, title).series[1].hidden);
    const std::string csv = figure_csv(figure);
    IM_CHECK(csv.find("not shown") != std::string::npos);
    // A JSON file keeps zoom and hidden curves.
    const auto again = read_figure_json("figure.json", figure_json(figure));
    IM_CHECK(again.has_value());
    IM_CHECK(plot_named(*again, title).series[0].hidden);
    IM_CHECK_EQ(plot_named(*again, title).x.low, curves(driver).items->low);
    context->ItemClick("**/legend softmax");
    context->Yield(2);
    IM_CHECK(!plot_named(exported(driver), title).series[0].hidden);
  });
}

TEST(Plots, FieldsAndTheRunsHistoryZoomToo) {
  GuiDriver driver(kWindow);
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.trains_to(context, 20));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.phase == RunPhase::kPaused; }));
    context->Yield(2);
    context->MouseMoveToPos(at(context, "**/axes loss track", 0.5F, 0.4F));
    context->MouseWheelY(2);
    context->Yield(2);
    const PlotZoom& loss = driver.app().zooms[kRunFigure].plots.at("Loss");
    IM_CHECK(loss.x.has_value() && loss.y.has_value());
    const std::vector<FigureSnapshot> all = figure_snapshots(driver.app());
    IM_CHECK_EQ(all.back().figure->plots[0].x.low, loss.x->low);
    IM_CHECK_EQ(all.back().figure->plots[0].y.high, loss.y->high);
    context->KeyPress(ImGuiKey_4);
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.app().experiments.of(kSurfaceView).result != nullptr; }));
    context->Yield(3);
    context->MouseMoveToPos(at(context, "**/axes field 0", 0.4F, 0.4F));
    context->MouseWheelY(2);
    context->Yield(2);
    const FieldPlot& own = driver.app().experiments.of(kSurfaceView).result->figure.fields[0];
    const FieldPlot shown = figure_snapshots(driver.app()).at(0).figure->fields[0];
    IM_CHECK(shown.x.low > own.x.low && shown.x.high < own.x.high);
    driver.app().view.surfaces = true;
    context->Yield(3);
    driver.app().view.surfaces = false;
    context->KeyPress(ImGuiKey_F);
    context->Yield(2);
    IM_CHECK_EQ(figure_snapshots(driver.app()).at(0).figure->fields[0].x.low, own.x.low);
  });
}

// A logarithmic axis has no place for 0, and the pointer finds none there.
TEST(Plots, APointWithoutAPlaceIsNotPointedAt) {
  Figure figure;
  LinePlot plot;
  plot.title = "Error";
  plot.x = {"n", true, 1, 100, {}};
  plot.y = {"error", true, 1e-9, 1, {}};
  Series series = line_series("streamed", ColourRole::kNeutral);
  series.x = {1, 10, 100};
  series.y = {1e-3, 0, 1e-3};
  plot.series = {series};
  figure.plots = {plot};
  GuiDriver driver(kWindow);
  driver.app().experiments.make_request = [figure](View, const AppState&) {
    return ExperimentRequest{"zero", 0,
                             [figure](ExperimentBackends&, const Progress&, const ShowFigure&) {
                               ExperimentResult result;
                               result.figure = figure;
                               return result;
                             }};
  };
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_3);
    const View view = driver.app().view.view;
    IM_CHECK(driver.wait_for(context,
                             [&] { return driver.app().experiments.of(view).result_complete; }));
    context->Yield(2);
    for (const float right : {0.3F, 0.5F, 0.6F, 0.7F}) {
      context->MouseMoveToPos(at(context, "**/axes plot 0", right, 0.5F));
      context->Yield(2);
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        for (const ImDrawVert& vertex : window->DrawList->VtxBuffer)
          IM_CHECK(std::isfinite(vertex.pos.x) && std::isfinite(vertex.pos.y));
      }
    }
  });
}

// However far the user zooms, every axis can be drawn.
TEST(Plots, TheWheelCannotBreakThem) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    context->MouseMoveToPos(at(context, kAccuracy, 0.55F, 0.45F));
    for (const float notches : {40.0F, 400.0F, -400.0F, -4000.0F}) {
      for (int i = 0; i < 6; ++i)
        context->MouseWheelY(notches);
      context->Yield(2);
      for (const LinePlot& plot : exported(driver).plots)
        IM_CHECK(drawable(plot.x) && drawable(plot.y));
    }
  });
}

}  // namespace
}  // namespace dispersion

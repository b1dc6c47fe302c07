// Each of the monkey's checks finds what it is for.

#include "tests/monkey/checks.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <limits>
#include <memory>

namespace dispersion::monkey {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(MonkeyChecks, FindAVertexThatIsNowhere) {
  ImGui::CreateContext();
  {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._OwnerName = "a window";
    list.VtxBuffer.push_back({{1, 2}, {0, 0}, 0});
    ImDrawData drawn;
    drawn.CmdLists.push_back(&list);
    drawn.TotalVtxCount = 1;
    EXPECT_EQ(check_drawn(&drawn), 1u);
    EXPECT_EQ(check_drawn(nullptr), 0u);
    list.VtxBuffer[0].pos.y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(check_drawn(&drawn), Fault);
  }
  ImGui::DestroyContext();
}

TEST(MonkeyChecks, FindASettingThatIsNoNumber) {
  AppState app;
  EXPECT_NO_THROW(check_state(app));
  app.view.theta = kNaN;
  EXPECT_THROW(check_state(app), Fault);
}

TEST(MonkeyChecks, FindAStateThatDoesNotComeBack) {
  AppState app;
  app.view.theta = 1e9;  // what no state may hold
  EXPECT_THROW(check_state(app), Fault);
}

Figure sound_figure() {
  Figure figure;
  LinePlot plot;
  plot.x.low = plot.y.low = 1;
  plot.x.high = plot.y.high = 2;
  plot.series.push_back({});
  plot.series[0].x = {1, 2};
  plot.series[0].y = {1, kNaN};  // a gap
  figure.plots.push_back(plot);
  FieldPlot field;
  field.x = field.y = plot.x;
  field.x_value = {1, 2};
  field.y_value = {1};
  field.values = {0, 1};
  figure.fields.push_back(field);
  HeatmapGrid grid;
  grid.strips.push_back({});
  grid.strips[0].frames.push_back({});
  grid.strips[0].frames[0].values = {0.5F};
  figure.grids.push_back(grid);
  return figure;
}

void check(const Figure& figure) {
  FigureSnapshot snapshot;
  snapshot.figure = std::make_shared<const Figure>(figure);
  EXPECT_EQ(check_figures({snapshot}), 1);
}

TEST(MonkeyChecks, FindWhatCannotBeDrawn) {
  EXPECT_NO_THROW(check(sound_figure()));
  const auto refused = [](const auto& spoil) {
    Figure figure = sound_figure();
    spoil(figure);
    EXPECT_THROW(check(figure), Fault);
  };
  refused([](Figure& f) { f.plots[0].x.high = kNaN; });
  refused([](Figure& f) { f.plots[0].y.high = f.plots[0].y.low; });
  refused([](Figure& f) {
    f.plots[0].x.logarithmic = true;
    f.plots[0].x.low = 0;
  });
  refused([](Figure& f) { f.plots[0].x.ticks.push_back({kInfinity, ""}); });
  refused([](Figure& f) { f.plots[0].series[0].x[0] = kNaN; });
  refused([](Figure& f) { f.plots[0].series[0].y[0] = kInfinity; });
  refused([](Figure& f) { f.plots[0].series[0].y.pop_back(); });
  refused([](Figure& f) { f.fields[0].values.pop_back(); });
  refused([](Figure& f) { f.fields[0].values[0] = std::numeric_limits<float>::infinity(); });
  refused([](Figure& f) { f.fields[0].y.low = kNaN; });
  refused([](Figure& f) {
    f.grids[0].strips[0].frames[0].values[0] = std::numeric_limits<float>::quiet_NaN();
  });
}

TEST(MonkeyChecks, MeasureMemory) {
  const std::size_t before = resident_bytes();
  constexpr std::size_t kMore = std::size_t{64} << 20;
  const std::vector<char> used(kMore, 'a');
  EXPECT_GT(resident_bytes(), before + kMore / 2);
}

}  // namespace
}  // namespace dispersion::monkey

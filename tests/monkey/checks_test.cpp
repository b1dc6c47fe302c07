// Each of the monkey's checks finds what it is for.

#include "tests/monkey/checks.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

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

TEST(MonkeyChecks, FindTooMuchMemory) {
  EXPECT_NO_THROW(check_memory(100, 100));
  EXPECT_THROW(check_memory(101, 100), Fault);
}

TEST(MonkeyChecks, FindAWorkerThatDoesNotAnswer) {
  int frames = 0;
  const auto draw = [&] { ++frames; };
  wait_in_frames(5, "it is silent", draw, [&] { return frames == 5; });
  EXPECT_EQ(frames, 5);
  frames = 0;
  EXPECT_THROW(wait_in_frames(5, "it is silent", draw, [&] { return frames > 5; }), Fault);
  EXPECT_EQ(frames, 5);
}

// An undo of four temperatures, in runs of which every second step opens another.
struct PretendedUndo {
  std::vector<Place> places;
  std::size_t at = 0;
  bool stuck = false;  // takes no step
  UndoWalk walk = {.here = [this] { return places[at]; },
                   .steps_left = [this] { return at; },
                   .take =
                       [this](int step) {
                         if (!stuck) at -= static_cast<std::size_t>(step);
                       },
                   .last = [] { return "a step"; }};

  PretendedUndo() {
    for (int i = 0; i < 4; ++i) {
      places.push_back({});
      places.back().settings.view.theta = 1 + i;
      places.back().run = 1 + static_cast<std::uint64_t>(i) / 2;
    }
    at = 3;
  }
  PretendedUndo(const PretendedUndo&) = delete;
  PretendedUndo& operator=(const PretendedUndo&) = delete;
};

TEST(MonkeyChecks, WalkThroughUndoThatIsSound) {
  PretendedUndo undo;
  EXPECT_EQ(check_undo(undo.walk, 12), 3);
  EXPECT_EQ(check_undo(undo.walk, 2), 2);
  EXPECT_EQ(undo.at, 3u);
}

TEST(MonkeyChecks, FindAStepThatUndoDoesNotTake) {
  PretendedUndo undo;
  undo.stuck = true;
  EXPECT_THROW(check_undo(undo.walk, 12), Fault);
}

TEST(MonkeyChecks, FindWhatRedoDoesNotBringBack) {
  const auto found = [](const std::function<void(Place&)>& spoil) {
    PretendedUndo undo;
    const auto take = undo.walk.take;
    undo.walk.take = [&](int step) {
      take(step);
      if (step < 0 && undo.at == 2) spoil(undo.places[2]);
    };
    try {
      check_undo(undo.walk, 12);
    } catch (const Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(found([](Place&) {}), "");
  EXPECT_NE(found([](Place& p) { p.settings.view.theta = 9; }).find("temperature"),
            std::string::npos);
  EXPECT_NE(found([](Place& p) { p.run = 7; }).find("run 7 open and not run 2"), std::string::npos);
}

}  // namespace
}  // namespace dispersion::monkey

#include "app/panels/panels.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/decimate.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_painter.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr double kSmallestLoss = 1e-8;
constexpr int kFewPoints = 8;  // a line of so few is shown with its points

double loss(const StepRecord& record) {
  return std::log10(std::max(static_cast<double>(record.cross_entropy + record.l2), kSmallestLoss));
}

double accuracy(const StepRecord& record) {
  return 100.0 * record.accuracy;
}

// Ticks of a loss that is shown by its logarithm: decades, and 2 and 5 between them when there are
// few.
std::vector<Tick> loss_ticks(double low, double high) {
  const std::vector<int> steps = high - low < 2.2 ? std::vector<int>{1, 2, 5} : std::vector<int>{1};
  std::vector<Tick> ticks;
  for (int decade = static_cast<int>(std::floor(low)); decade <= std::ceil(high); ++decade) {
    for (const int step : steps) {
      const double value = step * std::pow(10, decade);
      ticks.push_back({std::log10(value), fixed_text(value, std::max(0, -decade))});
    }
  }
  return ticks;
}

struct Track {
  const char* id;
  const char* title;
  std::string subtitle;
  Axis y;
};

void plot_track(const Painter& painter, const Track& track, const Axis& x,
                const Decimated& points) {
  constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  if (ImPlot::BeginPlot(track.id, room, kFlags)) {
    set_up_plot_axis(ImAxis_X1, x, room.x);
    set_up_plot_axis(ImAxis_Y1, track.y, room.x);
    ImPlot::SetupFinish();
    const int count = static_cast<int>(points.x.size());
    ImPlotSpec band;
    band.FillColor = colour(painter.palette->muted);
    band.FillAlpha = 0.4F;
    ImPlot::PlotShaded("range", points.x.data(), points.low.data(), points.high.data(), count,
                       band);
    ImPlotSpec line;
    line.LineColor = colour(painter.palette->text);
    line.LineWeight = 1.25F * painter.scale;
    if (count < kFewPoints) line.Marker = ImPlotMarker_Circle;
    ImPlot::PlotLine("mean", points.x.data(), points.mean.data(), count, line);
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
}

Axis step_axis(const AppState& app) {
  Axis axis;
  axis.low = 0;
  const double last = app.history.empty() ? 1 : static_cast<double>(app.history.back().step);
  axis.high = std::max(2.0, 1.01 * last);
  axis.ticks = round_ticks(axis.low, axis.high, 6);
  std::erase_if(axis.ticks, [](const Tick& tick) { return tick.value != std::floor(tick.value); });
  return axis;
}

// How the first curve comes about.
const char* first_step_text(const AppState& app) {
  return app.status.step > 0 || app.status.steps_before > 0
             ? "Play (Space) trains this head further; N starts a fresh one"
             : "Play (Space) trains this head; N starts one with the next seed";
}

void draw_track(const AppState& app, PanelState& state, const Track& track, const Decimated& points,
                ImVec2 size) {
  Painter& painter = state.painter;
  begin_panel(painter, track.id, size, track.title, track.subtitle);
  if (points.x.empty()) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_empty(painter, low, {low.x + room.x, low.y + room.y}, first_step_text(app));
  } else {
    plot_track(painter, track, step_axis(app), points);
  }
  end_panel();
}

// Four pixels to a bucket: its band and its line are two points each.
std::size_t bucket_count(const Painter& painter, float width) {
  return static_cast<std::size_t>(std::max(16.0F, width / std::max(1.0F, 2 * painter.scale)));
}

}  // namespace

void draw_history_panel(const AppState& app, PanelState& state, ImVec2 size) {
  const float spacing = state.painter.px(8);
  const float width = std::floor((size.x - spacing) / 2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::size_t buckets = bucket_count(state.painter, width);
  const Decimated losses = decimate(app.history, buckets, loss);
  Track track = {"loss track", "Loss", "of each batch, log scale", {}};
  if (!losses.x.empty()) {
    track.y.low = std::ranges::min(losses.low) - 0.05;
    track.y.high = std::max(std::ranges::max(losses.high) + 0.05, track.y.low + 0.6);
    track.y.ticks = loss_ticks(track.y.low, track.y.high);
  }
  if (losses.not_finite > 0) {
    track.subtitle += ", " + std::to_string(losses.not_finite) + " not finite left out";
  }
  draw_track(app, state, track, losses, {width, size.y});
  ImGui::SetCursorScreenPos({corner.x + width + spacing, corner.y});
  Track second = {"accuracy track", "Training accuracy", "% of each batch", {}};
  second.y = {.label = "", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 3)};
  draw_track(app, state, second, decimate(app.history, buckets, accuracy),
             {size.x - width - spacing, size.y});
}

}  // namespace dispersion

#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "app/panels/decimate.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_panel.h"
#include "core/figure/axis.h"

namespace dispersion {
namespace {

constexpr std::size_t kFewPoints = 8;  // a line of so few is shown with its points

double loss(const StepRecord& record) {
  return static_cast<double>(record.cross_entropy) + record.l2;
}

double accuracy(const StepRecord& record) {
  return 100.0 * record.accuracy;
}

Axis step_axis(const AppState& app) {
  Axis axis;
  axis.label = "training step";
  axis.low = 0;
  const double last = app.history.empty() ? 1 : static_cast<double>(app.history.back().step);
  axis.high = std::max(2.0, 1.01 * last);
  axis.ticks = round_ticks(axis.low, axis.high, 6);
  std::erase_if(axis.ticks, [](const Tick& tick) { return tick.value != std::floor(tick.value); });
  return axis;
}

// The records between the limits of the axis, and one more on either side.
std::span<const StepRecord> seen_records(const AppState& app, const Axis& axis) {
  const std::span<const StepRecord> all = app.history;
  const auto step = [](const StepRecord& record) { return static_cast<double>(record.step); };
  auto first = std::ranges::lower_bound(all, axis.low, {}, step);
  auto last = std::ranges::upper_bound(all, axis.high, {}, step);
  if (first != all.begin()) --first;
  if (last != all.end()) ++last;
  return all.subspan(static_cast<std::size_t>(first - all.begin()),
                     static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last - first)));
}

Series curve(const char* name, Decimated points) {
  Series series;
  series.name = name;
  series.role = ColourRole::kReference;
  series.markers = points.x.size() < kFewPoints;
  series.x = std::move(points.x);
  series.y = std::move(points.mean);
  series.low = std::move(points.low);
  series.high = std::move(points.high);
  return series;
}

// How the first curve comes about.
const char* first_step_text(const AppState& app) {
  return app.status.step > 0 || app.status.steps_before > 0
             ? "Play (Space) trains this head further; N starts a fresh one"
             : "Play (Space) trains this head; N starts one with the next seed";
}

// `value`: what is drawn of the records that are seen.
void draw_track(AppState& app, PanelState& state, LinePlot plot, const char* name,
                double (*value)(const StepRecord&), std::size_t buckets, ImVec2 size) {
  Painter& painter = state.painter;
  FigureZoom& zoom = app.zooms[kRunFigure];
  if (!app.history.empty()) {
    plot.x = step_axis(app);
    const Axis shown = zoomed(plot, zoom).x;
    plot.series = {curve("", decimate(seen_records(app, shown), buckets, value))};
    draw_plot_panel(state, name, plot, zoom, {}, size);
    return;
  }
  begin_panel(painter, name, size, plot.title, plot.subtitle);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, first_step_text(app));
  end_panel();
}

// Four pixels to a bucket: its band and its line are two points each.
std::size_t bucket_count(const Painter& painter, float width) {
  return static_cast<std::size_t>(std::max(16.0F, width / std::max(1.0F, 2 * painter.scale)));
}

}  // namespace

void draw_history_panel(AppState& app, PanelState& state, ImVec2 size) {
  const float spacing = state.painter.px(8);
  const float width = std::floor((size.x - spacing) / 2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::size_t buckets = bucket_count(state.painter, width);
  const Decimated losses = decimate(app.history, buckets, loss);
  LinePlot above;
  above.title = "Loss";
  above.subtitle = "of each batch, log scale";
  if (losses.not_finite > 0)
    above.subtitle += ", " + std::to_string(losses.not_finite) + " not finite left out";
  if (!losses.x.empty())
    above.y = decade_axis("loss", std::ranges::min(losses.low), std::ranges::max(losses.high), 5);
  draw_track(app, state, std::move(above), "loss track", loss, buckets, {width, size.y});
  ImGui::SetCursorScreenPos({corner.x + width + spacing, corner.y});
  LinePlot below;
  below.title = "Training accuracy";
  below.subtitle = "% of each batch";
  below.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 3)};
  draw_track(app, state, std::move(below), "accuracy track", accuracy, buckets,
             {size.x - width - spacing, size.y});
}

}  // namespace dispersion

#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/panels/data_table_panel.h"
#include "app/panels/figure_panels.h"
#include "app/panels/panel_frame.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "app/session/run_status.h"
#include "core/figure/accuracy_axis.h"
#include "core/figure/axis.h"
#include "core/figure/compared_data.h"
#include "core/figure/compared_parts.h"
#include "core/figure/number_text.h"
#include "core/figure/training_text.h"

namespace dispersion {
namespace {

// The n of the vertical line. It moves together with the outline around the frames, evenly on the
// logarithmic axis.
double marked_items(const AppState& app, const PanelState& state) {
  const double share = motion_share(state);
  const double to = app.view.focused_items;
  if (share >= 1 || state.motion.from <= 0) return to;
  return state.motion.from * std::pow(to / state.motion.from, share);
}

// The n whose measurements are of an older step, of another run or of other settings.
std::vector<OldPoint> outdated_items(const AppState& app) {
  std::vector<OldPoint> old;
  if (!app.snapshot) return old;
  for (const int items : app.snapshot->sizes) {
    const std::string age = point_age_text(frame_at(app, items));
    if (!age.empty()) old.push_back({static_cast<double>(items), age});
  }
  return old;
}

// Two plots side by side, or one above the other where they would be narrow.
struct TwoPlots {
  ImVec2 first;
  ImVec2 second;
  ImVec2 offset;  // of the second
};
TwoPlots two_plots(const Painter& painter, ImVec2 size) {
  constexpr float kNarrow = 220;
  constexpr float kLow = 150;
  const float spacing = painter.px(8);
  const float width = std::floor((size.x - spacing) / 2);
  const float height = std::floor((size.y - spacing) / 2);
  const bool narrow = width < painter.px(kNarrow) || size.y > size.x;
  if (narrow && height >= painter.px(kLow))
    return {{size.x, height}, {size.x, size.y - height - spacing}, {0, height + spacing}};
  return {{width, size.y}, {size.x - width - spacing, size.y}, {width + spacing, 0}};
}

void draw_curve(AppState& app, PanelState& state, const char* id, const LinePlot& plot,
                const TableSource* table, ImVec2 size) {
  Painter& painter = state.painter;
  if (!plot.series.empty()) {
    const std::vector<OldPoint> outdated = outdated_items(app);
    PlotOptions options = {.marked = marked_items(app, state), .outdated = outdated};
    LinePlot shown = plot;
    if (app.status.phase == RunPhase::kTraining) shown.subtitle += "; fewer while it trains";
    options.table = table;
    const auto clicked = draw_plot_panel(state, id, shown, app.zooms[kCurvesFigure], options, size);
    if (clicked) focus_items(app, state, static_cast<int>(*clicked));
    return;
  }
  begin_panel(painter, id, size, plot.title.empty() ? id : plot.title.text(), "");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, "Being computed …");
  end_panel();
}

}  // namespace

void draw_curves(AppState& app, PanelState& state, ImVec2 size) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const TwoPlots plots = two_plots(state.painter, size);
  const LinePlot& accuracy = accuracy_in_view(app, state);
  const LinePlot& entropy = entropy_in_view(app, state);
  TableSource accuracies;
  TableSource entropies;
  if (app.comparison) {
    accuracies = compared_size_source(app, accuracy, accuracy_differences);
    entropies = compared_size_source(app, entropy, entropy_differences);
  }
  draw_curve(app, state, "Accuracy", accuracy, app.comparison ? &accuracies : nullptr, plots.first);
  ImGui::SetCursorScreenPos({corner.x + plots.offset.x, corner.y + plots.offset.y});
  draw_curve(app, state, "Entropy of attention", entropy, app.comparison ? &entropies : nullptr,
             plots.second);
}

Decimated decimate(std::span<const StepRecord> records, std::size_t buckets,
                   double (*value)(const StepRecord&)) {
  Decimated result;
  const std::size_t count = std::min(std::max<std::size_t>(buckets, 1), records.size());
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    const std::size_t begin = records.size() * bucket / count;
    const std::size_t end = records.size() * (bucket + 1) / count;
    double low = 0;
    double high = 0;
    double sum = 0;
    std::size_t used = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double y = value(records[i]);
      if (!std::isfinite(y)) {
        ++result.not_finite;
        continue;
      }
      low = used == 0 ? y : std::min(low, y);
      high = used == 0 ? y : std::max(high, y);
      sum += y;
      ++used;
    }
    if (used == 0) continue;
    const double first = static_cast<double>(records[begin].step);
    const double last = static_cast<double>(records[end - 1].step);
    result.x.push_back((first + last) / 2);
    result.low.push_back(low);
    result.high.push_back(high);
    result.mean.push_back(sum / static_cast<double>(used));
  }
  return result;
}

std::size_t taken_buckets(std::span<const StepRecord> records, const Axis& axis,
                          std::size_t buckets) {
  if (records.empty() || !(axis.high > axis.low)) return buckets;
  const auto steps = static_cast<double>(records.back().step - records.front().step);
  const double share = std::min(1.0, steps / (axis.high - axis.low));
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::ceil(share * static_cast<double>(buckets))));
}

namespace {

constexpr std::size_t kFewPoints = 8;  // below this number, points get markers

double loss(const StepRecord& record) {
  return static_cast<double>(record.cross_entropy) + record.l2;
}

double accuracy(const StepRecord& record) {
  return 100.0 * record.accuracy;
}

// The records between the limits of the axis, and one more on either side so that the line reaches
// the edges. `steps_before`: what the axis adds to their steps.
std::span<const StepRecord> seen_records(std::span<const StepRecord> all, std::int64_t steps_before,
                                         const Axis& axis) {
  const auto step = [=](const StepRecord& record) {
    return static_cast<double>(record.step + steps_before);
  };
  auto first = std::ranges::lower_bound(all, axis.low, {}, step);
  auto last = std::ranges::upper_bound(all, axis.high, {}, step);
  if (first != all.begin()) --first;
  if (last != all.end()) ++last;
  return all.subspan(static_cast<std::size_t>(first - all.begin()),
                     static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last - first)));
}

Series curve(std::string_view name, ColourRole role, Decimated points, std::int64_t steps_before) {
  Series series;
  series.name = name;
  series.role = role;
  series.markers = points.x.size() < kFewPoints;
  series.x = std::move(points.x);
  for (double& x : series.x)
    x += static_cast<double>(steps_before);
  series.y = std::move(points.mean);
  series.low = std::move(points.low);
  series.high = std::move(points.high);
  return series;
}

// Says how to start a training that these plots can show.
const char* first_step_text(const AppState& app) {
  return app.status.step > 0 || app.status.steps_before > 0
             ? "Play (Space) trains this head further; N starts one with the next seed"
             : "Play (Space) trains this head; N starts one with the next seed";
}

// One of the two plots: what it shows of a record, and into how many buckets curves are reduced.
struct Track {
  const char* id;
  double (*value)(const StepRecord&);
  std::size_t buckets;
  std::size_t plot;  // its index in run_figure(), which has every step
};

// Whether the run of B begins with the head of A, and shows all that is known of it.
bool goes_on_from(const AppState& a, const AppState& b) {
  if (a.status.run == b.status.run) return true;
  const auto& of_a = a.status.earlier;
  const auto& of_b = b.status.earlier;
  return a.history.empty() && of_a && of_b && (of_a == of_b || *of_a == *of_b) &&
         counted_step(a.status, a.status.step) <= counted_step(b.status, b.status.step);
}

// The run of A where it is another one.
const AppState* pinned_other_run(const AppState& app) {
  const bool other = app.comparison && !goes_on_from(app.comparison->a, app);
  return other ? &app.comparison->a : nullptr;
}

bool has_steps(const RunCurves& curves) {
  return !curves.records.empty() || !curves.earlier.empty();
}

// The curves that are seen: those of A alone where B is another run, still without a step.
RunCurves seen_curves(const AppState& app) {
  const RunCurves curves = run_curves(app);
  const AppState* a = pinned_other_run(app);
  return a == nullptr || has_steps(curves) ? curves : run_curves(*a);
}

// Every step of one of the plots as a table.
TableSource steps_table(const AppState& app, const RunCurves& curves, const Track& track) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
  const AppState* a = pinned_other_run(app);
  std::uint64_t numbers =
      (app.history_run * kMix + curves.records.size()) * kMix + curves.earlier.size();
  if (a != nullptr) numbers = numbers * kMix + a->status.run + (shows_difference(app) ? kMix : 0);
  return {numbers, [&app, a, curves, plot = track.plot] {
            const LinePlot present = run_figure(curves, app.status.seed).plots[plot];
            if (a == nullptr) return data_table(present);
            const LinePlot pinned = run_figure(run_curves(*a), a->status.seed).plots[plot];
            if (present.series.empty()) return data_table(pinned);
            return compared_table(compared_plot(pinned, present), shows_difference(app));
          }};
}

// The curves of the run and of what was measured before it, as far as the axis shows them. A run of
// few steps beside many is one point with a mark.
std::vector<Series> track_series(const RunCurves& curves, const Track& track, const Axis& axis) {
  std::vector<Series> all;
  const bool run = !curves.records.empty();
  if (run) {
    const auto seen = seen_records(curves.records, curves.steps_before, axis);
    all.push_back(curve(curves.earlier.empty() ? "" : kRunName, ColourRole::kReference,
                        decimate(seen, taken_buckets(seen, axis, track.buckets), track.value),
                        curves.steps_before));
  }
  const std::vector<StepRecord> earlier = earlier_records(curves);
  if (!run || (!earlier.empty() && static_cast<double>(earlier.back().step) > axis.low)) {
    all.push_back(curve(run ? kEarlierName : "", ColourRole::kNeutral,
                        decimate(seen_records(earlier, 0, axis), track.buckets, track.value), 0));
  }
  return all;
}

bool same_points(const Series& a, const Series& b) {
  return a.x == b.x && a.y == b.y;
}

// Those curves of the run of A that the plot does not have.
std::vector<Series> pinned_series(const AppState& app, const Track& track, const Axis& axis,
                                  const LinePlot& plot) {
  const AppState* a = pinned_other_run(app);
  if (a == nullptr) return {};
  std::vector<Series> all = track_series(run_curves(*a), track, axis);
  std::erase_if(all, [&](const Series& series) {
    return std::ranges::any_of(plot.series,
                               [&](const Series& other) { return same_points(series, other); });
  });
  return all;
}

// The run of the state that is pinned as A, dashed; where all of it is that of B too, the step of
// A.
void add_pinned_run(const AppState& app, const Track& track, const FigureZoom& zoom,
                    LinePlot& plot) {
  std::vector<Series> of_a = pinned_series(app, track, zoomed(plot, zoom).x, plot);
  if (of_a.empty()) {
    const RunStatus& status = app.comparison->a.status;
    const auto step = static_cast<double>(counted_step(status, status.step));
    plot.lines.push_back({.value = step, .label = "A"});
    return;
  }
  for (Series& series : plot.series) {
    if (series.name.empty()) series.name = "B";
  }
  for (Series& series : of_a) {
    if (plot.y.logarithmic && !series.low.empty()) {
      plot.y = covering(
          decade_axis(plot.y.label, std::ranges::min(series.low), std::ranges::max(series.high), 5),
          plot.y);
    }
    series = dashed(std::move(series));
    if (series.name.empty()) series.name = "A";
    plot.series.push_back(std::move(series));
  }
}

Axis step_axis(const AppState& app) {
  const Axis axis = run_step_axis(run_curves(app));
  const AppState* a = pinned_other_run(app);
  return a == nullptr ? axis : covering(run_step_axis(run_curves(*a)), axis);
}

void draw_track(AppState& app, PanelState& state, LinePlot plot, const Track& track, ImVec2 size) {
  Painter& painter = state.painter;
  FigureZoom& zoom = app.zooms[kRunFigure];
  const RunCurves curves = run_curves(app);
  if (has_steps(seen_curves(app))) {
    plot.x = step_axis(app);
    if (has_steps(curves)) {
      plot.series = track_series(curves, track, zoomed(plot, zoom).x);
    } else {
      plot.subtitle += "; B has no step yet";
    }
    if (app.comparison) add_pinned_run(app, track, zoom, plot);
    const TableSource table = steps_table(app, curves, track);
    draw_plot_panel(state, track.id, plot, zoom, {.table = &table}, size);
    return;
  }
  begin_panel(painter, track.id, size, plot.title, plot.subtitle);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, first_step_text(app));
  end_panel();
}

// A bucket takes two pixels, so that more points would not be visible.
std::size_t bucket_count(const Painter& painter, float width) {
  return static_cast<std::size_t>(std::max(16.0F, width / std::max(1.0F, 2 * painter.scale)));
}

}  // namespace

void draw_history_panel(AppState& app, PanelState& state, ImVec2 size) {
  const TwoPlots plots = two_plots(state.painter, size);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::size_t buckets = bucket_count(state.painter, plots.first.x);
  const RunCurves curves = seen_curves(app);
  const RunSets sets = run_sets(curves);
  Decimated losses = decimate(curves.records, buckets, loss);
  LinePlot loss_plot;
  loss_plot.title = "Loss";
  loss_plot.subtitle = sets.of + ", log scale" + sets.before;
  const Decimated before = decimate(earlier_records(curves), buckets, loss);
  loss_plot.subtitle +=
      not_finite_text(static_cast<std::int64_t>(losses.not_finite + before.not_finite));
  losses.low.insert(losses.low.end(), before.low.begin(), before.low.end());
  losses.high.insert(losses.high.end(), before.high.begin(), before.high.end());
  if (!losses.low.empty())
    loss_plot.y =
        decade_axis("loss", std::ranges::min(losses.low), std::ranges::max(losses.high), 5);
  draw_track(app, state, std::move(loss_plot), {"loss track", loss, buckets, 0}, plots.first);
  ImGui::SetCursorScreenPos({corner.x + plots.offset.x, corner.y + plots.offset.y});
  LinePlot accuracy_plot;
  accuracy_plot.title = "Training accuracy";
  accuracy_plot.subtitle = "% " + sets.of + sets.before;
  use_accuracy_axis(accuracy_plot, 3);
  draw_track(app, state, std::move(accuracy_plot), {"accuracy track", accuracy, buckets, 1},
             plots.second);
}

}  // namespace dispersion

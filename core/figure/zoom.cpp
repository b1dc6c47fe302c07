#include "core/figure/zoom.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kLargestLimit = 1e300;
constexpr double kNarrowest =
    1e-9;                       // width of an axis relative to its limits; below it rounding wins
constexpr double kEdge = 1e-9;  // share of an axis by which a tick may lie beyond its end
constexpr double kLeastWidth = 1e-6;  // that an axis of no width gets
constexpr std::size_t kEnoughTicks = 3;
constexpr int kMostTicks = 8;

// Whether the limits make a usable axis.
bool usable(const Axis& axis, const AxisLimits& limits) {
  const auto [low, high] = limits;
  if (!(std::abs(low) <= kLargestLimit) || !(std::abs(high) <= kLargestLimit)) return false;
  if (axis.logarithmic)
    return low >= 1 / kLargestLimit && high > low * (1 + kNarrowest) && std::isfinite(high / low);
  const double farthest = std::max(std::abs(low), std::abs(high));
  return high - low > std::max(kNarrowest * farthest, 1 / kLargestLimit);
}

double value_at(const Axis& axis, double share) {
  if (!axis.logarithmic) return axis.low + share * (axis.high - axis.low);
  return std::exp(std::log(axis.low) + share * std::log(axis.high / axis.low));
}

bool are_powers_of_two(const std::vector<Tick>& ticks) {
  return ticks.size() >= 2 && std::ranges::all_of(ticks, [](const Tick& tick) {
           return tick.value >= 1 && tick.value <= 1e15 && tick.value == std::floor(tick.value) &&
                  std::has_single_bit(static_cast<std::uint64_t>(tick.value));
         });
}

std::vector<Tick> power_of_two_ticks(double low, double high) {
  std::vector<Tick> ticks;
  for (double value = 1; value <= std::min(high, 1e15); value *= 2) {
    if (value >= low) ticks.push_back({value, grouped_text(static_cast<std::int64_t>(value))});
  }
  return ticks;
}

// Ticks at 1, 2 and 5 times every power of ten.
std::vector<Tick> fine_log_ticks(double low, double high) {
  std::vector<Tick> ticks =
      log_ticks(static_cast<int>(std::floor(std::log10(low))),
                static_cast<int>(std::floor(std::log10(high))), 1, std::array{1, 2, 5});
  std::erase_if(ticks, [=](const Tick& tick) { return tick.value < low || tick.value > high; });
  return ticks;
}

std::vector<Tick> new_ticks(const Axis& axis, double low, double high) {
  if (axis.logarithmic && are_powers_of_two(axis.ticks)) {
    std::vector<Tick> ticks = power_of_two_ticks(low, high);
    if (ticks.size() >= kEnoughTicks) return ticks;
  }
  if (axis.logarithmic && high >= 1000 * low) {
    Axis decades = decade_axis("", low, high, kMostTicks);
    std::erase_if(decades.ticks, [&](const Tick& tick) {
      return tick.value < low * (1 - kEdge) || tick.value > high * (1 + kEdge);
    });
    return decades.ticks;
  }
  if (axis.logarithmic && high >= 4 * low) return fine_log_ticks(low, high);
  return round_ticks(low, high, kMostTicks);
}

// Whether the ticks cover the whole axis: no gap at its ends is wider than the widest between
// ticks.
bool ticks_cover(const Axis& axis) {
  if (axis.ticks.size() < kEnoughTicks) return false;
  double widest = 0;
  for (std::size_t i = 1; i < axis.ticks.size(); ++i) {
    widest = std::max(widest, std::abs(axis_share(axis, axis.ticks[i].value) -
                                       axis_share(axis, axis.ticks[i - 1].value)));
  }
  const auto [first, last] = std::minmax(
      {axis_share(axis, axis.ticks.front().value), axis_share(axis, axis.ticks.back().value)});
  return first <= 1.01 * widest && 1 - last <= 1.01 * widest;
}

bool overlap(const Axis& axis, const AxisLimits& limits) {
  return limits.low < axis.high && axis.low < limits.high;
}

Axis shown_axis(const Axis& axis, const FigureZoom& zoom, const std::optional<AxisLimits>& own) {
  Axis shown = widened(axis);
  const bool items = counts_items(axis);
  const std::optional<AxisLimits>& limits = items ? zoom.items : own;
  if (!limits || (items && !overlap(shown, *limits))) return shown;
  return with_limits(shown, *limits);
}

const PlotZoom& zoom_of(const FigureZoom& zoom, const std::string& title) {
  static const PlotZoom none;
  const auto found = zoom.plots.find(title);
  return found == zoom.plots.end() ? none : found->second;
}

}  // namespace

std::optional<AxisLimits> limits_between(const Axis& axis, double from, double to) {
  if (!drawable(axis) || !std::isfinite(from) || !std::isfinite(to)) return std::nullopt;
  const auto [low, high] = std::minmax(from, to);
  const AxisLimits limits = {value_at(axis, low), value_at(axis, high)};
  if (!usable(axis, limits)) return std::nullopt;
  return limits;
}

std::optional<AxisLimits> magnified(const Axis& axis, double share, double factor) {
  if (!(factor > 0)) return std::nullopt;
  return limits_between(axis, share - share / factor, share + (1 - share) / factor);
}

std::optional<AxisLimits> moved(const Axis& axis, double share) {
  return limits_between(axis, -share, 1 - share);
}

Axis with_limits(const Axis& axis, const AxisLimits& limits) {
  if (!usable(axis, limits)) return axis;
  Axis shown = axis;
  shown.low = limits.low;
  shown.high = limits.high;
  std::erase_if(shown.ticks, [&](const Tick& tick) {
    const double share = axis_share(shown, tick.value);
    return !(share >= -kEdge && share <= 1 + kEdge);
  });
  if (!ticks_cover(shown)) shown.ticks = new_ticks(axis, limits.low, limits.high);
  return shown;
}

Axis widened(const Axis& axis) {
  Axis wide = axis;
  if (usable(axis, {axis.low, axis.high})) return wide;
  wide.logarithmic = false;
  if (!(std::abs(wide.low) <= kLargestLimit)) wide.low = 0;
  if (!(std::abs(wide.high) <= kLargestLimit)) wide.high = wide.low + 1;
  if (wide.high < wide.low) std::swap(wide.low, wide.high);
  const double farthest = std::max(std::abs(wide.low), std::abs(wide.high));
  const double least = std::max(kLeastWidth, 3 * kNarrowest * farthest);
  if (wide.high - wide.low < least) {
    wide.low -= least / 2;
    wide.high += least / 2;
  }
  return wide;
}

void set_limits(FigureZoom& zoom, const std::string& title, AxisSide side, const Axis& axis,
                const std::optional<AxisLimits>& limits) {
  if (limits && !overlap(axis, *limits)) return;
  if (counts_items(axis)) {
    zoom.items = limits;
    return;
  }
  PlotZoom& plot = zoom.plots[title];
  (side == AxisSide::kX ? plot.x : plot.y) = limits;
}

void toggle_series(FigureZoom& zoom, const std::string& title, const std::string& series) {
  std::set<std::string>& hidden = zoom.plots[title].hidden;
  if (hidden.erase(series) == 0) hidden.insert(series);
}

LinePlot zoomed(LinePlot plot, const FigureZoom& zoom) {
  const PlotZoom& own = zoom_of(zoom, plot.title);
  plot.x = shown_axis(plot.x, zoom, own.x);
  plot.y = shown_axis(plot.y, zoom, own.y);
  for (Series& series : plot.series)
    series.hidden = series.hidden || own.hidden.contains(series.name);
  return plot;
}

FieldPlot zoomed(FieldPlot plot, const FigureZoom& zoom) {
  const PlotZoom& own = zoom_of(zoom, plot.title);
  plot.x = shown_axis(plot.x, zoom, own.x);
  plot.y = shown_axis(plot.y, zoom, own.y);
  return plot;
}

Figure zoomed(Figure figure, const FigureZoom& zoom) {
  for (LinePlot& plot : figure.plots)
    plot = zoomed(std::move(plot), zoom);
  for (FieldPlot& field : figure.fields)
    field = zoomed(std::move(field), zoom);
  return figure;
}

}  // namespace dispersion

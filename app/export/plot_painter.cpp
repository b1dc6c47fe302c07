#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/curve_painter.h"
#include "app/export/plot_frame.h"
#include "core/figure/axis.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

constexpr double kNameGap = 12;       // from the end of a curve to its name
constexpr double kNameDistance = 18;  // least distance between the baselines of two names
constexpr double kWidestName = 0.22;  // widest name at the end of a curve, as a share of the plot
constexpr double kNameHeight = 16;    // of the name of a reference line or a range
constexpr double kNameAscent = 12;    // height of such a name above its baseline
constexpr double kLastLabel = 10;     // space to the right for half of the last tick label
constexpr double kLegendHeight = 22;
constexpr double kKeyGap = 20;          // between the keys of a legend
constexpr double kInsideAspect = 0.46;  // ratio of height to width that suits curves
constexpr double kHighestInside = 330;
constexpr double kWidening = 0.9;  // by how much the first of two curves is wider

// What is needed to paint the inside of a plot.
struct PlotContext {
  const LinePlot& plot;
  const Scales& scales;
  const DrawOptions& draw;
  std::vector<Colour> colours;  // of the series
};

void paint_ranges(Canvas& canvas, const PlotContext& context) {
  const Rect& inside = context.scales.inside();
  for (const ShadedRange& range : context.plot.ranges) {
    const double left = std::clamp(context.scales.x(range.low), inside.x, inside.right());
    const double right = std::clamp(context.scales.x(range.high), inside.x, inside.right());
    if (!(right > left)) continue;
    canvas.fill({left, inside.y, right - left, inside.height}, context.draw.palette.raised);
  }
}

// Writes the names of shaded ranges after the curves, which would cover them: at the bottom of the
// plot, or at the top if there are bars. Returns the boxes of the names.
std::vector<FigureBox> paint_range_names(Canvas& canvas, const PlotContext& context) {
  std::vector<FigureBox> boxes;
  const Rect& inside = context.scales.inside();
  for (const ShadedRange& range : context.plot.ranges) {
    const double left = std::max(context.scales.x(range.low), inside.x);
    if (!(left < std::min(context.scales.x(range.high), inside.right()))) continue;
    const double y = context.plot.bars.empty() ? inside.bottom() - 8 : inside.y + 14;
    canvas.text({left + 6, y}, range.label, context.draw.muted());
    boxes.push_back({left + 6, y - kNameAscent,
                     canvas.text_width(range.label, context.draw.muted()), kNameHeight});
  }
  return boxes;
}

void paint_bars(Canvas& canvas, const PlotContext& context) {
  for (const Bars& bars : context.plot.bars) {
    const Colour colour = bar_colour(context.draw.palette, bars);
    for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
      const Rect& inside = context.scales.inside();
      const double left = std::clamp(context.scales.x(bars.edge[i]), inside.x, inside.right());
      const double right = std::clamp(context.scales.x(bars.edge[i + 1]), inside.x, inside.right());
      const double top = std::max(context.scales.y(bars.height[i]), inside.y);
      const double bottom = inside.bottom();
      if (std::isfinite(left + right + top) && left < right && top < bottom)
        canvas.fill({left, top, right - left, bottom - top}, colour);
    }
  }
}

void paint_lines(Canvas& canvas, const PlotContext& context) {
  const Rect& inside = context.scales.inside();
  for (const ReferenceLine& line : context.plot.lines) {
    const double at = line.vertical ? context.scales.x(line.value) : context.scales.y(line.value);
    const Point from = line.vertical ? Point{at, inside.y} : Point{inside.x, at};
    const Point to = line.vertical ? Point{at, inside.bottom()} : Point{inside.right(), at};
    if (!std::isfinite(at) || at < (line.vertical ? inside.x : inside.y) - 1 ||
        at > (line.vertical ? inside.right() : inside.bottom()) + 1)
      continue;
    const std::vector<Point> ends = {from, to};
    canvas.dashed_line(ends, context.draw.palette.muted, 1);
  }
}

void paint_line_names(Canvas& canvas, const PlotContext& context,
                      std::span<const FigureBox> taken) {
  const Rect& inside = context.scales.inside();
  std::vector<double> widths;
  for (const ReferenceLine& line : context.plot.lines)
    widths.push_back(canvas.text_width(line.label, context.draw.muted()));
  const std::vector<LineLabel> labels = line_labels(
      context.plot, {inside.x, inside.y, inside.width, inside.height}, widths, kNameHeight, taken);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].shown) continue;
    const FigureBox& box = labels[i].box;
    // A name that covers something gets a background, so that it can be read.
    if (labels[i].covering)
      canvas.fill({box.x - 2, box.y, box.width + 4, box.height}, context.draw.palette.panel);
    canvas.text({box.x, box.y + kNameAscent}, context.plot.lines[i].label, context.draw.muted());
  }
}

// Writes the name of each curve beside its last point. Names that would touch are moved apart.
void paint_names(Canvas& canvas, const PlotContext& context) {
  struct Name {
    std::size_t series;
    double y;
  };
  std::vector<Name> names;
  for (std::size_t i = 0; i < context.plot.series.size(); ++i) {
    const std::vector<Point> points =
        places(context.scales, context.plot.series[i].x, context.plot.series[i].y);
    if (!points.empty()) names.push_back({i, points.back().y});
  }
  std::ranges::stable_sort(names, {}, &Name::y);
  for (std::size_t i = 1; i < names.size(); ++i) {
    const double missing = kNameDistance - (names[i].y - names[i - 1].y);
    if (missing <= 0) continue;
    if (i == 1) names[0].y -= missing / 2;
    names[i].y = names[i - 1].y + kNameDistance;
  }
  for (const Name& name : names) {
    canvas.text({context.scales.inside().right() + kNameGap, name.y + 4.5},
                context.plot.series[name.series].name,
                context.draw.strong(context.colours[name.series]));
  }
}

// A legend above the plot: where each key begins, relative to the corner of the legend.
struct Legend {
  std::vector<LegendKey> keys;
  std::vector<Point> at;
  double height = 0;
};

Legend legend_of(const Canvas& canvas, const LinePlot& plot, double width,
                 const DrawOptions& options) {
  Legend legend;
  if (plot.series.empty()) return legend;
  double x = 0;
  double y = 12;
  std::vector<std::string> names;
  for (const Series& series : plot.series)
    names.push_back(series.name);
  legend.keys = legend_keys(names);
  for (const LegendKey& key : legend.keys) {
    const double wanted =
        24 + canvas.text_width(key.name, options.strong(options.palette.text)) + kKeyGap;
    if (x > 0 && x + wanted - kKeyGap > width) {
      x = 0;
      y += kLegendHeight;
    }
    legend.at.push_back({x, y});
    x += wanted;
  }
  legend.height = y + 14;
  return legend;
}

void paint_legend(Canvas& canvas, const Legend& legend, const LinePlot& plot,
                  const std::vector<Colour>& colours, Point corner, const DrawOptions& options) {
  for (std::size_t i = 0; i < legend.keys.size(); ++i) {
    const auto& [curve, name] = legend.keys[i];
    const Point at = {corner.x + legend.at[i].x, corner.y + legend.at[i].y};
    paint_key(canvas, plot.series[curve], colours[curve], at);
    canvas.text({at.x + 24, at.y}, name, options.strong(colours[curve]));
  }
}

double widest_name(const Canvas& canvas, const LinePlot& plot, const DrawOptions& options) {
  double width = 0;
  for (const Series& series : plot.series) {
    width = std::max(width, canvas.text_width(series.name, options.strong(options.palette.text)));
  }
  return width;
}

// The width to the right of the plot for names at the ends of the curves; 0 if they stand in a
// legend. They stand at the ends if there are few curves that end together and have short names.
double room_for_names(const Canvas& canvas, const LinePlot& plot, double width,
                      const DrawOptions& options) {
  if (options.names) return *options.names;
  const double widest = widest_name(canvas, plot, options);
  const bool beside = plot.series.size() <= 3 && widest < kWidestName * width;
  return beside && curves_end_together(plot) ? widest + kNameGap : 0;
}

void paint_inside(Canvas& canvas, const PlotContext& context) {
  // The clip leaves room for half a marker at the edge and hides values beyond the axes.
  const Rect& inside = context.scales.inside();
  const Canvas::Clip clip(canvas, {inside.x, inside.y - kMarkerRadius, inside.width + kMarkerRadius,
                                   inside.height + 2 * kMarkerRadius});
  const std::vector<Series>& series = context.plot.series;
  paint_bars(canvas, context);
  for (std::size_t i = 0; i < series.size(); ++i)
    paint_band(canvas, series[i], context.scales, context.colours[i]);
  // If there are two curves, the first is wider, so that it shows even where the other covers it.
  std::set<std::string_view> names;
  for (const Series& each : series)
    names.insert(each.name);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const bool wide = names.size() == 2 && series[i].name == series.front().name;
    paint_series(canvas, series[i], context.scales, context.colours[i], wide ? kWidening : 0);
  }
}

// The plot without its hidden curves, and the colours of the others, which are the same as if all
// curves were shown.
struct VisiblePart {
  LinePlot plot;
  std::vector<Colour> colours;
};

VisiblePart visible_part(const LinePlot& plot, const DrawOptions& options) {
  VisiblePart part = {plot, series_colours(options.palette, plot.series)};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].hidden) continue;
    part.colours[kept] = part.colours[i];
    if (kept != i) part.plot.series[kept] = plot.series[i];
    ++kept;
  }
  part.plot.series.resize(kept);
  part.colours.resize(kept);
  return part;
}

}  // namespace

Colour bar_colour(const Palette& palette, const Bars& bars) {
  return mix(palette.panel, role_colour(palette, bars.role), 0.32F);
}

double room_for_names(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options) {
  double room = 0;
  for (const LinePlot& each : figure.plots) {
    const LinePlot plot = visible_part(each, options).plot;
    const double room_of_plot = room_for_names(canvas, plot, width, options);
    if (room_of_plot == 0 && !plot.series.empty()) return 0;
    room = std::max(room, room_of_plot);
  }
  return room;
}

double line_plot_height(const Canvas& canvas, const LinePlot& plot, double width,
                        const DrawOptions& options) {
  const LinePlot shown = visible_part(plot, options).plot;
  const bool beside = room_for_names(canvas, shown, width, options) > 0;
  const double legend = beside ? 0 : legend_of(canvas, shown, width, options).height;
  const double inside = options.plot_height * std::min(kInsideAspect * width, kHighestInside);
  return heading_height(canvas, shown.title, painted_subtitle(shown), width, options) + legend +
         inside + kAxisHeight;
}

void paint_curves(Canvas& canvas, const LinePlot& plot, const PlotFrame& frame,
                  const DrawOptions& options) {
  if (!drawable(plot.x) || !drawable(plot.y)) return;
  const VisiblePart shown = visible_part(plot, options);
  const Scales scales(plot.x, plot.y, frame.inside);
  const PlotContext context = {shown.plot, scales, options, shown.colours};
  paint_ranges(canvas, context);
  paint_axes(canvas, plot.x, plot.y, scales, frame.axis_width, true, options);
  paint_inside(canvas, context);
  paint_lines(canvas, context);
  std::vector<FigureBox> taken = paint_range_names(canvas, context);
  if (options.marked_x > 0 && !beyond(plot.x, options.marked_x))
    taken.push_back({scales.x(options.marked_x), frame.inside.y, 1, frame.inside.height});
  paint_line_names(canvas, context, taken);
  if (options.names.value_or(0) > 0) paint_names(canvas, context);
}

void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const DrawOptions& options) {
  const VisiblePart shown = visible_part(plot, options);
  double top = paint_heading(canvas, plot.title, painted_subtitle(shown.plot), area, options);
  if (!drawable(plot.x) || !drawable(plot.y)) return;
  DrawOptions plot_options = options;
  plot_options.names = room_for_names(canvas, shown.plot, area.width, options);
  if (*plot_options.names == 0) {
    const Legend legend = legend_of(canvas, shown.plot, area.width, options);
    paint_legend(canvas, legend, shown.plot, shown.colours, {area.x, area.y + top}, options);
    top += legend.height;
  }
  paint_curves(canvas, plot,
               {{area.x + kAxisWidth, area.y + top,
                 area.width - kAxisWidth - std::max(*plot_options.names, kLastLabel),
                 area.height - top - kAxisHeight},
                kAxisWidth},
               plot_options);
}

}  // namespace dispersion

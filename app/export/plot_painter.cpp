#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/mark_painter.h"
#include "app/export/plot_frame.h"
#include "app/export/thinned.h"
#include "core/figure/axis.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

constexpr double kNameGap = 12;       // from the end of a line to its name
constexpr double kNameDistance = 18;  // between two names
constexpr double kWidestName = 0.22;  // of the plot with it
constexpr double kNameHeight = 16;    // of a reference line or a range
constexpr double kNameAscent = 12;    // of that above its baseline
constexpr double kLastLabel = 10;     // what the label of the last tick needs beside the plot
constexpr double kLegendHeight = 22;
constexpr double kKeyWidth = 18;
constexpr double kKeyDash = 3;          // beside a marker
constexpr double kKeyGap = 20;          // between the keys of a legend
constexpr double kInsideAspect = 0.46;  // height to width that suits curves
constexpr double kHighestInside = 330;
constexpr double kLineThickness = 2;
constexpr double kMarkerRadius = 3.5;
constexpr double kWidening = 0.9;  // of each line against the one above it
constexpr double kBandAlpha = 0.16;
constexpr double kRangeAlpha = 0.3;       // of a line that goes up and down within a few units
constexpr std::size_t kManyPoints = 150;  // from here on points are small and let others through

struct Ink {
  const LinePlot& plot;
  const Scales& scales;
  const DrawOptions& draw;
  std::vector<Colour> colours;  // of the series
};

void paint_ranges(Canvas& canvas, const Ink& ink) {
  const Rect& inside = ink.scales.inside();
  for (const ShadedRange& range : ink.plot.ranges) {
    const double left = std::clamp(ink.scales.x(range.low), inside.x, inside.right());
    const double right = std::clamp(ink.scales.x(range.high), inside.x, inside.right());
    if (!(right > left)) continue;
    canvas.fill({left, inside.y, right - left, inside.height}, ink.draw.palette.raised);
  }
}

// Over curves, which would cover them; above bars, which have air there. Returns where they stand.
std::vector<FigureBox> paint_range_names(Canvas& canvas, const Ink& ink) {
  std::vector<FigureBox> boxes;
  const Rect& inside = ink.scales.inside();
  for (const ShadedRange& range : ink.plot.ranges) {
    const double left = std::max(ink.scales.x(range.low), inside.x);
    if (!(left < std::min(ink.scales.x(range.high), inside.right()))) continue;
    const double y = ink.plot.bars.empty() ? inside.bottom() - 8 : inside.y + 14;
    canvas.text({left + 6, y}, range.label, ink.draw.muted());
    boxes.push_back(
        {left + 6, y - kNameAscent, canvas.text_width(range.label, ink.draw.muted()), kNameHeight});
  }
  return boxes;
}

void paint_bars(Canvas& canvas, const Ink& ink) {
  for (const Bars& bars : ink.plot.bars) {
    const Colour colour = bar_colour(ink.draw.palette, bars);
    for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
      const Rect& inside = ink.scales.inside();
      const double left = std::clamp(ink.scales.x(bars.edge[i]), inside.x, inside.right());
      const double right = std::clamp(ink.scales.x(bars.edge[i + 1]), inside.x, inside.right());
      const double top = std::max(ink.scales.y(bars.height[i]), inside.y);
      const double bottom = inside.bottom();
      if (std::isfinite(left + right + top) && left < right && top < bottom)
        canvas.fill({left, top, right - left, bottom - top}, colour);
    }
  }
}

void paint_lines(Canvas& canvas, const Ink& ink) {
  const Rect& inside = ink.scales.inside();
  for (const ReferenceLine& line : ink.plot.lines) {
    const double at = line.vertical ? ink.scales.x(line.value) : ink.scales.y(line.value);
    const Point from = line.vertical ? Point{at, inside.y} : Point{inside.x, at};
    const Point to = line.vertical ? Point{at, inside.bottom()} : Point{inside.right(), at};
    if (!std::isfinite(at) || at < (line.vertical ? inside.x : inside.y) - 1 ||
        at > (line.vertical ? inside.right() : inside.bottom()) + 1)
      continue;
    const std::vector<Point> ends = {from, to};
    canvas.dashed_line(ends, ink.draw.palette.muted, 1);
  }
}

void paint_line_names(Canvas& canvas, const Ink& ink, std::span<const FigureBox> taken) {
  const Rect& inside = ink.scales.inside();
  std::vector<double> widths;
  for (const ReferenceLine& line : ink.plot.lines)
    widths.push_back(canvas.text_width(line.label, ink.draw.muted()));
  const std::vector<LineLabel> labels = line_labels(
      ink.plot, {inside.x, inside.y, inside.width, inside.height}, widths, kNameHeight, taken);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].shown) continue;
    const FigureBox& box = labels[i].box;
    // A ground of its own only where it can not be read without.
    if (labels[i].covering)
      canvas.fill({box.x - 2, box.y, box.width + 4, box.height}, ink.draw.palette.panel);
    canvas.text({box.x, box.y + kNameAscent}, ink.plot.lines[i].label, ink.draw.muted());
  }
}

void paint_band(Canvas& canvas, const Series& series, const Scales& scales, Colour colour) {
  canvas.band(thinned(line_places(scales, series.x, series.low)),
              thinned(line_places(scales, series.x, series.high)), colour, kBandAlpha);
}

// `widening` is added to the line's thickness and to the markers' radius.
void paint_series(Canvas& canvas, const Series& series, const Scales& scales, Colour colour,
                  double widening) {
  const std::vector<Point> points = places(scales, series.x, series.y);
  const std::vector<Point> whole = line_places(scales, series.x, series.y);
  const auto dense = series.line == LineStyle::kSolid ? dense_line(whole) : std::nullopt;
  if (dense) canvas.band(dense->low, dense->high, colour, kRangeAlpha);
  const std::vector<Point> line = dense ? dense->mean : thinned(whole);
  if (series.line == LineStyle::kSolid) canvas.polyline(line, colour, kLineThickness + widening);
  if (series.line == LineStyle::kDashed) canvas.dashed_line(line, colour, kLineThickness);
  if (!series.markers) return;
  const bool many = points.size() > kManyPoints;
  for (const Point& point : thinned_marks(points))
    paint_mark(canvas, series.mark, point, many ? 1.8 : kMarkerRadius + widening, colour,
               many ? 0.35 : 1);
}

// Beside the last points, moved apart where they would touch.
void paint_names(Canvas& canvas, const Ink& ink) {
  struct Name {
    std::size_t series;
    double y;
  };
  std::vector<Name> names;
  for (std::size_t i = 0; i < ink.plot.series.size(); ++i) {
    const std::vector<Point> points =
        places(ink.scales, ink.plot.series[i].x, ink.plot.series[i].y);
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
    canvas.text({ink.scales.inside().right() + kNameGap, name.y + 4.5},
                ink.plot.series[name.series].name, ink.draw.strong(ink.colours[name.series]));
  }
}

// In lines of their own, above the plot: where each key begins, relative to the legend's corner.
struct Legend {
  std::vector<Point> keys;
  double height = 0;
};

Legend legend_of(const Canvas& canvas, const LinePlot& plot, double width,
                 const DrawOptions& options) {
  Legend legend;
  if (plot.series.empty()) return legend;
  double x = 0;
  double y = 12;
  for (const Series& series : plot.series) {
    const double wanted =
        24 + canvas.text_width(series.name, options.strong(options.palette.text)) + kKeyGap;
    if (x > 0 && x + wanted - kKeyGap > width) {
      x = 0;
      y += kLegendHeight;
    }
    legend.keys.push_back({x, y});
    x += wanted;
  }
  legend.height = y + 14;
  return legend;
}

void paint_legend(Canvas& canvas, const Legend& legend, const LinePlot& plot,
                  const std::vector<Colour>& colours, Point corner, const DrawOptions& options) {
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Point at = {corner.x + legend.keys[i].x, corner.y + legend.keys[i].y};
    paint_key(canvas, plot.series[i], colours[i], at);
    canvas.text({at.x + 24, at.y}, plot.series[i].name, options.strong(colours[i]));
  }
}

double widest_name(const Canvas& canvas, const LinePlot& plot, const DrawOptions& options) {
  double width = 0;
  for (const Series& series : plot.series) {
    width = std::max(width, canvas.text_width(series.name, options.strong(options.palette.text)));
  }
  return width;
}

// Names stand at the ends of the curves where these are few and end together, and names are short.
// Without names nothing is left for them.
double room_for_names(const Canvas& canvas, const LinePlot& plot, double width,
                      const DrawOptions& options) {
  if (options.names) return *options.names;
  const double widest = widest_name(canvas, plot, options);
  const bool beside = plot.series.size() <= 3 && widest < kWidestName * width;
  return beside && curves_end_together(plot) ? widest + kNameGap : 0;
}

void paint_inside(Canvas& canvas, const Ink& ink) {
  // Half a marker may reach over the edge, a value beyond the axis may not.
  const Rect& inside = ink.scales.inside();
  const Canvas::Clip clip(canvas, {inside.x, inside.y - kMarkerRadius, inside.width + kMarkerRadius,
                                   inside.height + 2 * kMarkerRadius});
  const std::vector<Series>& series = ink.plot.series;
  paint_bars(canvas, ink);
  for (std::size_t i = 0; i < series.size(); ++i)
    paint_band(canvas, series[i], ink.scales, ink.colours[i]);
  // The lower of two is wider: it shows even where both run in the same place.
  std::set<std::string_view> names;
  for (const Series& each : series)
    names.insert(each.name);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const bool wide = names.size() == 2 && series[i].name == series.front().name;
    paint_series(canvas, series[i], ink.scales, ink.colours[i], wide ? kWidening : 0);
  }
}

// The plot without the curves that are hidden, and the colours of the others, which stay what they
// are with all.
struct Visible {
  LinePlot plot;
  std::vector<Colour> colours;
};

Visible visible(const LinePlot& plot, const DrawOptions& options) {
  Visible part = {plot, series_colours(options.palette, plot.series)};
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

void paint_key(Canvas& canvas, const Series& series, Colour colour, Point at) {
  const double y = at.y - 4.5;
  const auto line = [y](double from, double to) { return std::vector<Point>{{from, y}, {to, y}}; };
  const double end = at.x + kKeyWidth;
  if (series.line == LineStyle::kSolid) canvas.polyline(line(at.x, end), colour, kLineThickness);
  if (series.line == LineStyle::kDashed && !series.markers)
    canvas.dashed_line(line(at.x, end), colour, kLineThickness);
  if (series.line == LineStyle::kDashed && series.markers) {
    // A marker would hide the gaps: a dash on either side of it.
    canvas.polyline(line(at.x, at.x + kKeyDash), colour, kLineThickness);
    canvas.polyline(line(end - kKeyDash, end), colour, kLineThickness);
  }
  if (series.markers)
    paint_mark(canvas, series.mark, {at.x + kKeyWidth / 2, y}, kMarkerRadius, colour);
}

double room_for_names(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options) {
  double room = 0;
  for (const LinePlot& each : figure.plots) {
    const LinePlot plot = visible(each, options).plot;
    const double own = room_for_names(canvas, plot, width, options);
    if (own == 0 && !plot.series.empty()) return 0;
    room = std::max(room, own);
  }
  return room;
}

double line_plot_height(const Canvas& canvas, const LinePlot& plot, double width,
                        const DrawOptions& options) {
  const LinePlot shown = visible(plot, options).plot;
  const bool beside = room_for_names(canvas, shown, width, options) > 0;
  const double legend = beside ? 0 : legend_of(canvas, shown, width, options).height;
  const double inside = options.plot_height * std::min(kInsideAspect * width, kHighestInside);
  return heading_height(canvas, shown.title, painted_subtitle(shown), width, options) + legend +
         inside + kAxisHeight;
}

void paint_curves(Canvas& canvas, const LinePlot& plot, const PlotFrame& frame,
                  const DrawOptions& options) {
  if (!drawable(plot.x) || !drawable(plot.y)) return;
  const Visible shown = visible(plot, options);
  const Scales scales(plot.x, plot.y, frame.inside);
  const Ink ink = {shown.plot, scales, options, shown.colours};
  paint_ranges(canvas, ink);
  paint_axes(canvas, plot.x, plot.y, scales, frame.axis_width, true, options);
  paint_inside(canvas, ink);
  paint_lines(canvas, ink);
  paint_line_names(canvas, ink, paint_range_names(canvas, ink));
  if (options.names.value_or(0) > 0) paint_names(canvas, ink);
}

void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const DrawOptions& options) {
  const Visible shown = visible(plot, options);
  double top = paint_heading(canvas, plot.title, painted_subtitle(shown.plot), area, options);
  if (!drawable(plot.x) || !drawable(plot.y)) return;
  DrawOptions own = options;
  own.names = room_for_names(canvas, shown.plot, area.width, options);
  if (*own.names == 0) {
    const Legend legend = legend_of(canvas, shown.plot, area.width, options);
    paint_legend(canvas, legend, shown.plot, shown.colours, {area.x, area.y + top}, options);
    top += legend.height;
  }
  paint_curves(canvas, plot,
               {{area.x + kAxisWidth, area.y + top,
                 area.width - kAxisWidth - std::max(*own.names, kLastLabel),
                 area.height - top - kAxisHeight},
                kAxisWidth},
               own);
}

}  // namespace dispersion

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/export/figure_painter.h"

namespace dispersion {
namespace {

constexpr double kHeadingHeight = 40;
constexpr double kAxisHeight = 48;    // below: tick labels and the name of the axis
constexpr double kAxisWidth = 62;     // to the left: the same
constexpr double kNameGap = 12;       // from the end of a line to its name
constexpr double kNameDistance = 18;  // between two names
constexpr double kLineThickness = 2;
constexpr double kMarkerRadius = 3.5;
constexpr double kWidening = 0.9;  // of each line against the one above it
constexpr double kBandAlpha = 0.16;

// From values to places on the canvas.
class Scales {
 public:
  Scales(const LinePlot& plot, Rect inside) : x_(plot.x), y_(plot.y), inside_(inside) {}

  double x(double value) const { return inside_.x + share(x_, value) * inside_.width; }
  double y(double value) const { return inside_.bottom() - share(y_, value) * inside_.height; }
  const Rect& inside() const { return inside_; }

 private:
  static double share(const Axis& axis, double value) {
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }

  const Axis& x_;
  const Axis& y_;
  Rect inside_;
};

bool can_be_drawn(const Axis& axis) {
  return std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low < axis.high &&
         (!axis.logarithmic || axis.low > 0);
}

// The points that have a place, in order.
std::vector<Point> places(const Scales& scales, const std::vector<double>& x,
                          const std::vector<double>& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point point = {scales.x(x[i]), scales.y(y[i])};
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  return points;
}

void paint_axes(Canvas& canvas, const LinePlot& plot, const Scales& scales, const Look& look) {
  const Rect& inside = scales.inside();
  for (const Tick& tick : plot.y.ticks) {
    const double y = scales.y(tick.value);
    canvas.hairline({inside.x, y}, {inside.right(), y}, look.palette.raised);
    canvas.text({inside.x - 9, y + 4.5}, tick.label, look.muted(Align::kRight));
  }
  for (const Tick& tick : plot.x.ticks) {
    const double x = scales.x(tick.value);
    canvas.hairline({x, inside.bottom()}, {x, inside.bottom() + 5}, look.palette.line);
    canvas.text({x, inside.bottom() + 20}, tick.label, look.muted(Align::kCentre));
  }
  canvas.hairline({inside.x, inside.bottom()}, {inside.right(), inside.bottom()},
                  look.palette.line);
  canvas.text({inside.x + inside.width / 2, inside.bottom() + 42}, plot.x.label,
              look.muted(Align::kCentre));
  canvas.upward_text({inside.x - kAxisWidth + 13, inside.y + inside.height / 2}, plot.y.label,
                     look.muted());
}

void paint_band(Canvas& canvas, const Series& series, const Scales& scales, Colour colour) {
  std::vector<Point> outline = places(scales, series.x, series.low);
  std::vector<Point> upper = places(scales, series.x, series.high);
  outline.insert(outline.end(), upper.rbegin(), upper.rend());
  if (outline.size() > 2) canvas.polygon(outline, colour, kBandAlpha);
}

// `widening` is added to the line's thickness and to the markers' radius.
void paint_series(Canvas& canvas, const Series& series, const Scales& scales, Colour colour,
                  double widening) {
  const std::vector<Point> points = places(scales, series.x, series.y);
  canvas.polyline(points, colour, kLineThickness + widening);
  if (!series.markers) return;
  for (const Point& point : points)
    canvas.disc(point, kMarkerRadius + widening, colour);
}

// Beside the last points, moved apart where they would touch.
void paint_names(Canvas& canvas, const LinePlot& plot, const Scales& scales, const Look& look) {
  struct Name {
    const Series* series;
    double y;
  };
  std::vector<Name> names;
  for (const Series& series : plot.series) {
    const std::vector<Point> points = places(scales, series.x, series.y);
    if (!points.empty()) names.push_back({&series, points.back().y});
  }
  std::ranges::stable_sort(names, {}, &Name::y);
  for (std::size_t i = 1; i < names.size(); ++i) {
    const double missing = kNameDistance - (names[i].y - names[i - 1].y);
    if (missing <= 0) continue;
    if (i == 1) names[0].y -= missing / 2;
    names[i].y = names[i - 1].y + kNameDistance;
  }
  for (const Name& name : names) {
    canvas.text({scales.inside().right() + kNameGap, name.y + 4.5}, name.series->name,
                look.strong(role_colour(look.palette, name.series->role)));
  }
}

double widest_name(const Canvas& canvas, const LinePlot& plot, const Look& look) {
  double width = 0;
  for (const Series& series : plot.series) {
    width = std::max(width, canvas.text_width(series.name, look.strong(look.palette.text)));
  }
  return width;
}

}  // namespace

void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const Look& look) {
  canvas.text({area.x, area.y + 18}, plot.title, look.heading());
  canvas.text({area.x + canvas.text_width(plot.title, look.heading()) + 16, area.y + 18},
              plot.subtitle, look.muted());
  if (!can_be_drawn(plot.x) || !can_be_drawn(plot.y)) return;
  const double names = widest_name(canvas, plot, look) + kNameGap;
  const Scales scales(
      plot, {area.x + kAxisWidth, area.y + kHeadingHeight, area.width - kAxisWidth - names,
             area.height - kHeadingHeight - kAxisHeight});
  paint_axes(canvas, plot, scales, look);
  {
    // Half a marker may reach over the edge, a value beyond the axis may not.
    const Rect& inside = scales.inside();
    const Canvas::Clip clip(canvas, {inside.x, inside.y - kMarkerRadius, inside.width,
                                     inside.height + 2 * kMarkerRadius});
    for (const Series& series : plot.series) {
      paint_band(canvas, series, scales, role_colour(look.palette, series.role));
    }
    // Those below are wider: they show even where all run in the same place.
    double widening = kWidening * static_cast<double>(plot.series.size());
    for (const Series& series : plot.series) {
      widening -= kWidening;
      paint_series(canvas, series, scales, role_colour(look.palette, series.role), widening);
    }
  }
  paint_names(canvas, plot, scales, look);
}

}  // namespace dispersion

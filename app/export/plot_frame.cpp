#include "app/export/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/figure/axis.h"

namespace dispersion {
namespace {

// The largest coordinate, in units. Lines that go farther end there, so that no file format
// overflows.
constexpr double kFarthest = 1e5;

Point near(Point p) {
  return {std::clamp(p.x, -kFarthest, kFarthest), std::clamp(p.y, -kFarthest, kFarthest)};
}

bool far(Point p) {
  return std::abs(p.x) > kFarthest || std::abs(p.y) > kFarthest;
}

std::vector<Point> all_places(const Scales& scales, const std::vector<double>& x,
                              const std::vector<double>& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point point = {scales.x(x[i]), scales.y(y[i])};
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  return points;
}

// Adds the points at which the segment crosses the largest coordinates. Between two of them it lies
// either wholly within these or wholly outside, where it cannot be seen.
void add_crossings(Point from, Point to, std::vector<Point>& line) {
  std::vector<double> shares;
  for (const double limit : {-kFarthest, kFarthest}) {
    shares.push_back((limit - from.x) / (to.x - from.x));
    shares.push_back((limit - from.y) / (to.y - from.y));
  }
  std::erase_if(shares, [](double share) { return !(share > 0 && share < 1); });
  std::ranges::sort(shares);
  for (const double share : shares)
    line.push_back(near({std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)}));
}

constexpr double kTitleLine = 20;
constexpr double kSubtitleLine = 18;
constexpr double kLabelHeight = 15;  // of a tick label
constexpr double kLabelGap = 8;      // between two tick labels in a line
constexpr double kTickGap = 9;       // between a tick label of the y axis and the plot
constexpr double kTicksHeight = 26;  // below a plot whose x axis has no name
constexpr double kNameLine = 22;     // width of the name of the y axis
constexpr double kAbove = 6;         // half the height of a tick label of the y axis
constexpr double kMostRight = 60;    // most space to the right for half a tick label

// The lines of a title, and of a subtitle that does not fit beside it.
struct Heading {
  std::vector<std::string> title;
  std::vector<std::string> subtitle;  // empty: the subtitle stands beside the title
  double beside = 0;                  // x of a subtitle beside the title, from the left

  double last_title() const { return 18 + kTitleLine * (static_cast<double>(title.size()) - 1); }
  double height() const {
    if (subtitle.empty()) return last_title() + 22;
    return last_title() + 22 + kSubtitleLine * static_cast<double>(subtitle.size());
  }
};

Heading heading_of(const Canvas& canvas, const std::string& title, const std::string& subtitle,
                   double width, const DrawOptions& options) {
  Heading heading;
  heading.title = canvas.lines(title, width, options.heading());
  if (heading.title.empty()) heading.title = {""};
  heading.beside = canvas.text_width(title, options.heading()) + 16;
  if (heading.beside + canvas.text_width(subtitle, options.muted()) > width)
    heading.subtitle = canvas.lines(subtitle, width, options.muted());
  return heading;
}

}  // namespace

Scales::Scales(const Axis& x, const Axis& y, Rect inside) : x_(x), y_(y), inside_(inside) {}

double Scales::x(double value) const {
  return inside_.x + axis_share(x_, value) * inside_.width;
}

double Scales::y(double value) const {
  return inside_.bottom() - axis_share(y_, value) * inside_.height;
}

std::vector<Point> places(const Scales& scales, const std::vector<double>& x,
                          const std::vector<double>& y) {
  std::vector<Point> points = all_places(scales, x, y);
  std::erase_if(points, far);
  return points;
}

std::vector<Point> line_places(const Scales& scales, const std::vector<double>& x,
                               const std::vector<double>& y) {
  const std::vector<Point> all = all_places(scales, x, y);
  std::vector<Point> line;
  line.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && (far(all[i - 1]) || far(all[i]))) add_crossings(all[i - 1], all[i], line);
    line.push_back(near(all[i]));
  }
  return line;
}

double heading_height(const Canvas& canvas, const std::string& title, const std::string& subtitle,
                      double width, const DrawOptions& options) {
  return heading_of(canvas, title, subtitle, width, options).height();
}

double paint_heading(Canvas& canvas, const std::string& title, const std::string& subtitle,
                     Rect area, const DrawOptions& options) {
  const Heading heading = heading_of(canvas, title, subtitle, area.width, options);
  double y = area.y + 18;
  for (const std::string& line : heading.title) {
    canvas.text({area.x, y}, line, options.heading());
    y += kTitleLine;
  }
  y = area.y + heading.last_title();
  if (heading.subtitle.empty()) {
    canvas.text({area.x + heading.beside, y}, subtitle, options.muted());
  }
  y += 2;
  for (const std::string& line : heading.subtitle) {
    y += kSubtitleLine;
    canvas.text({area.x, y}, line, options.muted());
  }
  return heading.height();
}

PlotFrame fitted_frame(const Canvas& canvas, const Axis& x_axis, const Axis& y_axis, Rect area,
                       const DrawOptions& options) {
  double widest = 0;
  for (const Tick& tick : y_axis.ticks)
    widest = std::max(widest, canvas.text_width(tick.label, options.muted()));
  const bool named = options.axis_names && !y_axis.label.empty();
  const double left = widest + kTickGap + (named ? kNameLine : 0);
  const double below = options.axis_names && !x_axis.label.empty() ? kAxisHeight : kTicksHeight;
  // Half of the last tick label may reach beyond the right end of the axis.
  double right = 0;
  for (const Tick& tick : x_axis.ticks) {
    const double beyond = canvas.text_width(tick.label, options.muted()) / 2 -
                          (1 - axis_share(x_axis, tick.value)) * (area.width - left);
    right = std::clamp(beyond, right, kMostRight);
  }
  return {{area.x + left, area.y + kAbove, area.width - left - right, area.height - kAbove - below},
          left};
}

void paint_axes(Canvas& canvas, const Axis& x_axis, const Axis& y_axis, const Scales& scales,
                double width, bool lines, const DrawOptions& options) {
  const Rect& inside = scales.inside();
  std::vector<double> sizes(y_axis.ticks.size(), kLabelHeight);
  const std::size_t y_stride = label_stride(y_axis, sizes, inside.height, 0);
  for (std::size_t i = 0; i < y_axis.ticks.size(); ++i) {
    const double y = scales.y(y_axis.ticks[i].value);
    if (lines) canvas.hairline({inside.x, y}, {inside.right(), y}, options.palette.raised);
    if (i % y_stride > 0) continue;
    canvas.text({inside.x - kTickGap, y + 4.5}, y_axis.ticks[i].label,
                options.muted(Align::kRight));
  }
  sizes.clear();
  for (const Tick& tick : x_axis.ticks)
    sizes.push_back(canvas.text_width(tick.label, options.muted()));
  const std::size_t x_stride = label_stride(x_axis, sizes, inside.width, kLabelGap);
  for (std::size_t i = 0; i < x_axis.ticks.size(); ++i) {
    const double x = scales.x(x_axis.ticks[i].value);
    if (lines && options.grid)
      canvas.hairline({x, inside.y}, {x, inside.bottom()}, options.palette.raised);
    canvas.hairline({x, inside.bottom()}, {x, inside.bottom() + 5}, options.palette.line);
    if (i % x_stride > 0) continue;
    canvas.text({x, inside.bottom() + 20}, x_axis.ticks[i].label, options.muted(Align::kCentre));
  }
  canvas.hairline({inside.x, inside.bottom()}, {inside.right(), inside.bottom()},
                  options.palette.line);
  if (!options.axis_names) return;
  canvas.text({inside.x + inside.width / 2, inside.bottom() + 42}, x_axis.label,
              options.muted(Align::kCentre));
  canvas.upward_text({inside.x - width + 13, inside.y + inside.height / 2}, y_axis.label,
                     options.muted());
}

}  // namespace dispersion

#include "app/export/plot_frame.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/figure/axis.h"

namespace dispersion {

namespace {

constexpr double kTitleLine = 20;
constexpr double kSubtitleLine = 18;
constexpr double kLabelHeight = 15;  // of a tick
constexpr double kLabelGap = 8;      // between two of them in a line
constexpr double kTickGap = 9;       // from a label of y to the plot
constexpr double kTicksHeight = 26;  // labels of x alone
constexpr double kNameLine = 22;     // the name of y
constexpr double kAbove = 6;         // for half a label of y
constexpr double kMostRight = 60;

// Lines of a title and, where it does not fit beside the last of them, of the subtitle.
struct Heading {
  std::vector<std::string> title;
  std::vector<std::string> subtitle;  // empty: beside the title
  double beside = 0;                  // where it begins there

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
  // Half of a label may reach over the right end.
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

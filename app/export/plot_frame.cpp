#include "app/export/plot_frame.h"

#include <algorithm>
#include <string>
#include <vector>

namespace dispersion {

double paint_heading(Canvas& canvas, const std::string& title, const std::string& subtitle,
                     Rect area, const Look& look) {
  double y = area.y + 18;
  const std::vector<std::string> titles = canvas.lines(title, area.width, look.heading());
  for (const std::string& line : titles) {
    if (&line != &titles.front()) y += 20;
    canvas.text({area.x, y}, line, look.heading());
  }
  const double beside = canvas.text_width(title, look.heading()) + 16;
  if (beside + canvas.text_width(subtitle, look.muted()) <= area.width) {
    canvas.text({area.x + beside, y}, subtitle, look.muted());
    return y - area.y + 22;
  }
  y += 2;
  for (const std::string& line : canvas.lines(subtitle, area.width, look.muted())) {
    y += 18;
    canvas.text({area.x, y}, line, look.muted());
  }
  return y - area.y + 20;
}

void paint_axes(Canvas& canvas, const Axis& x_axis, const Axis& y_axis, const Scales& scales,
                bool lines, const Look& look) {
  const Rect& inside = scales.inside();
  for (const Tick& tick : y_axis.ticks) {
    const double y = scales.y(tick.value);
    if (lines) canvas.hairline({inside.x, y}, {inside.right(), y}, look.palette.raised);
    canvas.text({inside.x - 9, y + 4.5}, tick.label, look.muted(Align::kRight));
  }
  double free_from = inside.x - kAxisWidth;
  for (const Tick& tick : x_axis.ticks) {
    const double x = scales.x(tick.value);
    canvas.hairline({x, inside.bottom()}, {x, inside.bottom() + 5}, look.palette.line);
    const double half = canvas.text_width(tick.label, look.muted()) / 2;
    if (x - half < free_from) continue;  // no label over another
    canvas.text({x, inside.bottom() + 20}, tick.label, look.muted(Align::kCentre));
    free_from = x + half + 8;
  }
  canvas.hairline({inside.x, inside.bottom()}, {inside.right(), inside.bottom()},
                  look.palette.line);
  canvas.text({inside.x + inside.width / 2, inside.bottom() + 42}, x_axis.label,
              look.muted(Align::kCentre));
  canvas.upward_text({inside.x - kAxisWidth + 13, inside.y + inside.height / 2}, y_axis.label,
                     look.muted());
}

}  // namespace dispersion

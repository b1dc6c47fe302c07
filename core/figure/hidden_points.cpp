#include "core/figure/hidden_points.h"

#include <cmath>

#include "core/figure/number_text.h"

namespace dispersion {

namespace {

// "error", of an axis whose label is "error (nats)".
std::string name_of(const Axis& axis) {
  return axis.label.substr(0, axis.label.find(" ("));
}

// "error 0", "training step 0", "0 or below": what the hidden points have in common.
std::string where_hidden(const LinePlot& plot) {
  bool along_x = false;
  bool along_y = false;
  bool below = false;
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
      const double x = series.x[i];
      const double y = series.y[i];
      if (!std::isfinite(x) || !std::isfinite(y) || has_place(plot, x, y)) continue;
      const bool off_x = plot.x.logarithmic && x <= 0;
      (off_x ? along_x : along_y) = true;
      below = below || (off_x ? x : y) < 0;
    }
  }
  const std::string zero = below ? "0 or below" : "0";
  if (along_x && along_y) return zero;
  return name_of(along_x ? plot.x : plot.y) + " " + zero;
}

}  // namespace

bool has_place(const LinePlot& plot, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!plot.x.logarithmic || x > 0) &&
         (!plot.y.logarithmic || y > 0);
}

std::int64_t hidden_points(const LinePlot& plot) {
  std::int64_t hidden = 0;
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
      const bool number = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
      hidden += number && !has_place(plot, series.x[i], series.y[i]) ? 1 : 0;
    }
  }
  return hidden;
}

std::string painted_subtitle(const LinePlot& plot) {
  const std::int64_t hidden = hidden_points(plot);
  if (hidden == 0) return plot.subtitle;
  return plot.subtitle + (plot.subtitle.empty() ? "" : "; ") + grouped_text(hidden) +
         (hidden == 1 ? " point at " : " points at ") + where_hidden(plot) + " not shown";
}

}  // namespace dispersion

#include "core/figure/hidden_points.h"

#include <cmath>

#include "core/figure/number_text.h"

namespace dispersion {

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
         (hidden == 1 ? " point at 0 or below has" : " points at 0 or below have") +
         " no place on this axis";
}

}  // namespace dispersion

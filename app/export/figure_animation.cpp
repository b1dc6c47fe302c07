#include "app/export/figure_animation.h"

#include <algorithm>
#include <stdexcept>

#include "app/export/animation.h"

namespace dispersion {
namespace {

SheetSize common_sheet(std::span<const Figure> figures, const RenderOptions& render_options) {
  SheetSize common =
      sheet_for(figures.front(), *render_options.style, render_options.size, render_options.draw);
  for (const Figure& figure : figures) {
    const SheetSize size =
        sheet_for(figure, *render_options.style, render_options.size, render_options.draw);
    common.width_mm = std::max(common.width_mm, size.width_mm);
    common.height_mm = std::max(common.height_mm, size.height_mm);
    common.text_points = std::min(common.text_points, size.text_points);
  }
  return common;
}

// Roles of curves that are not among the colours of every GIF.
std::vector<ColourRole> further_roles(const Figure& figure) {
  std::vector<ColourRole> roles;
  for (const LinePlot& plot : figure.plots) {
    for (const Series& series : plot.series) {
      if (series.role >= ColourRole::kThird && std::ranges::find(roles, series.role) == roles.end())
        roles.push_back(series.role);
    }
  }
  return roles;
}

}  // namespace

RenderOptions animation_render_options(RenderOptions render_options) {
  render_options.draw.names = 0;
  return render_options;
}

std::string animation_bytes(std::span<const Figure> figures, FigureFormat format,
                            const RenderOptions& render_options, const AnimationTiming& timing) {
  if (figures.empty()) throw std::invalid_argument("an animation needs figures");
  const RenderOptions still = animation_render_options(render_options);
  Animation animation = animation_of(figures, common_sheet(figures, still), still.draw,
                                     timing.milliseconds, timing.last_milliseconds);
  animation.rounds = timing.rounds;
  if (format != FigureFormat::kGif) return apng_bytes(animation);
  return gif_bytes(animation,
                   gif_colours(render_options.draw.palette, further_roles(figures.back())));
}

}  // namespace dispersion

#include "app/export/figure_animation.h"

#include <algorithm>
#include <stdexcept>

#include "app/export/animation.h"

namespace dispersion {
namespace {

SheetSize common_sheet(std::span<const Figure> figures, const FigureDress& dress) {
  SheetSize common = sheet_for(figures.front(), *dress.style, dress.size, dress.look);
  for (const Figure& figure : figures) {
    const SheetSize size = sheet_for(figure, *dress.style, dress.size, dress.look);
    common.width_mm = std::max(common.width_mm, size.width_mm);
    common.height_mm = std::max(common.height_mm, size.height_mm);
    common.text_points = std::min(common.text_points, size.text_points);
  }
  return common;
}

}  // namespace

FigureDress animation_dress(FigureDress dress) {
  dress.look.names = 0;
  return dress;
}

std::string animation_bytes(std::span<const Figure> figures, FigureFormat format,
                            const FigureDress& dress, const AnimationTiming& timing) {
  if (figures.empty()) throw std::invalid_argument("an animation needs figures");
  const FigureDress still = animation_dress(dress);
  Animation animation = animation_of(figures, common_sheet(figures, still), still.look,
                                     timing.milliseconds, timing.last_milliseconds);
  animation.rounds = timing.rounds;
  return format == FigureFormat::kGif ? gif_bytes(animation, gif_colours(dress.look.palette))
                                      : apng_bytes(animation);
}

}  // namespace dispersion

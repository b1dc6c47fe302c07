#include "app/session/computation.h"

#include <cmath>

#include "core/figure/decade_axis.h"
#include "core/spectral/points.h"

namespace dispersion {

std::string computation_text(const RunStatus& status) {
  const Recipe& recipe = status.recipe;
  if (recipe.precision != Precision::kFloat)
    return "direct, " + std::string(precision_name(recipe.precision));
  if (recipe.path == HeadPath::kDirect) return "direct";
  if (status.item_points < 1 || status.query_points < 1)
    return "direct: too sharp for " + std::to_string(kMostItemPoints) + " points";
  return "spectral, " + std::to_string(status.item_points) + " + " +
         std::to_string(status.query_points) + " points, error < " +
         power_of_ten_text(static_cast<int>(std::lround(std::log10(kInterpolationTolerance))));
}

}  // namespace dispersion

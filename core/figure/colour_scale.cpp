#include <algorithm>
#include <cmath>

#include "core/figure/figure.h"

namespace dispersion {
namespace {

// A logarithmic scale cannot start at 0; it starts this far below its top then.
constexpr double kLogarithmicReach = 1e-6;

double logarithmic_position(double value, double low, double high) {
  if (!(low > 0)) low = high * kLogarithmicReach;
  if (!(value > low)) return 0;
  return std::log(value / low) / std::log(high / low);
}

}  // namespace

double colour_position(ColourScale scale, double value, double low, double high) {
  if (std::isnan(value) || std::isnan(low) || std::isnan(high)) return -1;
  if (value <= low) return 0;
  if (value >= high) return 1;
  double position = (value - low) / (high - low);
  if (scale == ColourScale::kSquareRoot) position = std::sqrt(position);
  if (scale == ColourScale::kLogarithmic) position = logarithmic_position(value, low, high);
  return std::clamp(position, 0.0, 1.0);
}

}  // namespace dispersion

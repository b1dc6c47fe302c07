#include "core/figure/magnitude_text.h"

#include <algorithm>
#include <cmath>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"

namespace dispersion {

std::string magnitude_text(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? "0" : fixed_text(value, 0);
  const double size = std::abs(value);
  if (size >= 10 && size < 1e6) return fixed_text(value, 0);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  if (exponent >= -3 && exponent < 1) return fixed_text(value, 1 - std::min(exponent, 0));
  return fixed_text(value / std::pow(10, exponent), 1) + " × " + power_of_ten_text(exponent);
}

}  // namespace dispersion

#include "core/figure/signed_values.h"

#include <cmath>

#include "core/figure/number_text.h"

namespace dispersion {

double symmetric_limit(double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  const double power = std::pow(10, std::floor(std::log10(largest)));
  for (const double multiple : {1.0, 2.0, 5.0}) {
    if (multiple * power >= largest) return multiple * power;
  }
  return 10 * power;
}

std::string signed_text(double value, int decimals) {
  const std::string text = fixed_text(value, decimals);
  const bool has_digits = text.find_first_of("123456789") != std::string::npos;
  return value > 0 && has_digits ? "+" + text : text;
}

}  // namespace dispersion

#pragma once

#include <string>

namespace dispersion {

// Values with a sign, such as differences.

// A range of colours that is symmetric about 0 is that of values with a sign, which have diverging
// colours whatever the map of the figure.
constexpr bool has_sign(double low, double high) {
  return low < 0 && low == -high;
}

// The smallest of 1, 2 and 5 times a power of ten that is at least `largest`; 1 for 0. So the range
// seldom changes while a head is trained.
double symmetric_limit(double largest);

// A number with its sign: "+5.1", "−5.1", "0.0".
std::string signed_text(double value, int decimals);

}  // namespace dispersion

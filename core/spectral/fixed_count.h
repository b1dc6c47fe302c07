#pragma once

#include <type_traits>

namespace dispersion {

// Calls use(std::integral_constant<int, count>) for the numbers of points that heads use, so that
// loops over the points unroll and vectorise, and use(std::integral_constant<int, 0>) for others.
template <class Use>
void with_fixed_count(int count, Use use) {
  switch (count) {
    case 8:
      return use(std::integral_constant<int, 8>());
    case 12:
      return use(std::integral_constant<int, 12>());
    case 16:
      return use(std::integral_constant<int, 16>());
    case 20:
      return use(std::integral_constant<int, 20>());
    case 24:
      return use(std::integral_constant<int, 24>());
    case 32:
      return use(std::integral_constant<int, 32>());
    case 40:
      return use(std::integral_constant<int, 40>());
    case 48:
      return use(std::integral_constant<int, 48>());
    default:
      return use(std::integral_constant<int, 0>());
  }
}

// a . b in four lanes, which are added in order: the order of the sum depends on count alone.
// kCount = 0: `count` says how many; a multiple of 4.
template <int kCount, class Other>
[[gnu::always_inline]] inline double short_dot(const double* a, const Other* b, int count) {
  const int n = kCount > 0 ? kCount : count;
  double lanes[4] = {};
  for (int k = 0; k < n; k += 4) {
    for (int l = 0; l < 4; ++l)
      lanes[l] += a[k + l] * static_cast<double>(b[k + l]);
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace dispersion

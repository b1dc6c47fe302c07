#include "core/math/largest.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dispersion {
namespace {

constexpr std::size_t kLanes = 16;  // independent maxima, so that the loop vectorises
constexpr std::size_t kBlock = 128;

}  // namespace

template <class Scalar>
Scalar largest_value(std::span<const Scalar> values) {
  Scalar lanes[kLanes];
  std::fill_n(lanes, kLanes, -std::numeric_limits<Scalar>::infinity());
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l)
      lanes[l] = values[i + l] > lanes[l] ? values[i + l] : lanes[l];
  }
  for (; i < values.size(); ++i)
    lanes[0] = values[i] > lanes[0] ? values[i] : lanes[0];
  return *std::max_element(lanes, lanes + kLanes);
}

template float largest_value(std::span<const float>);
template double largest_value(std::span<const double>);

int count_equal(std::span<const float> values, float value) {
  int count = 0;
  for (const float other : values)
    count += other == value ? 1 : 0;
  return count;
}

int first_at_least(std::span<const float> values, float least, int first) {
  std::size_t i = static_cast<std::size_t>(first);
  // Blocks without such a value are skipped by a loop that the compiler vectorises.
  for (; i + kBlock <= values.size(); i += kBlock) {
    int found = 0;
    for (std::size_t l = 0; l < kBlock; ++l)
      found |= values[i + l] >= least ? 1 : 0;
    if (found != 0) break;
  }
  while (i < values.size() && !(values[i] >= least))
    ++i;
  return static_cast<int>(i);
}

}  // namespace dispersion

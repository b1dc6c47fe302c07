#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/verify/report.h"
#include "core/verify/tolerances.h"

namespace dispersion {

// What to call element i in a report.
using PlaceName = std::function<std::string(std::size_t)>;

// "[3, 5]" in a tensor of this shape.
PlaceName index_in(std::vector<std::int64_t> shape);

// Fills error, tolerance, place and passed of a row from the element that is worst for its limit.
// Two arrays of different length fail.
VerifyRow compare(std::span<const double> computed, std::span<const double> truth,
                  const Tolerance& tolerance, const PlaceName& place);

// The same for numbers that have to be equal; `counts(i)` says whether element i is compared. The
// error is the number of differences, the place the first.
VerifyRow compare_integers(std::span<const std::int32_t> computed,
                           std::span<const std::int32_t> truth,
                           const std::function<bool(std::size_t)>& counts, const PlaceName& place);

template <class T>
std::vector<double> to_doubles(const T& values) {
  return std::vector<double>(std::begin(values), std::end(values));
}

}  // namespace dispersion

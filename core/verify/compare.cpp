#include "core/verify/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dispersion {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// Infinite unless both are finite or equal.
double difference(double computed, double truth) {
  if (computed == truth) return 0;
  const double error = std::abs(computed - truth);
  return std::isfinite(error) ? error : kInfinity;
}

VerifyRow length_mismatch(std::size_t computed, std::size_t truth) {
  VerifyRow row;
  row.error = kInfinity;
  row.place = "has " + std::to_string(truth) + " numbers; expected " + std::to_string(computed);
  return row;
}

}  // namespace

PlaceName index_in(std::vector<std::int64_t> shape) {
  return [shape = std::move(shape)](std::size_t index) {
    std::string text;
    auto rest = static_cast<std::int64_t>(index);
    for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis) {
      text = std::to_string(rest % *axis) + (text.empty() ? "" : ", " + text);
      rest /= *axis;
    }
    return "[" + text + "]";
  };
}

VerifyRow compare(std::span<const double> computed, std::span<const double> truth,
                  const Tolerance& tolerance, const PlaceName& place) {
  if (computed.size() != truth.size()) return length_mismatch(computed.size(), truth.size());
  const double scale = largest_magnitude(truth);
  VerifyRow row;
  double worst = -1;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double error = difference(computed[i], truth[i]);
    const double limit = tolerance.limit(std::isfinite(truth[i]) ? std::abs(truth[i]) : 0, scale);
    const double ratio = error == 0 ? 0 : limit > 0 ? error / limit : kInfinity;
    if (!(ratio > worst)) continue;
    worst = ratio;
    row.error = error;
    row.tolerance = limit;
    row.place = place(i);
  }
  row.passed = worst <= 1;
  return row;
}

VerifyRow compare_integers(std::span<const std::int32_t> computed,
                           std::span<const std::int32_t> truth,
                           const std::function<bool(std::size_t)>& counts, const PlaceName& place) {
  if (computed.size() != truth.size()) return length_mismatch(computed.size(), truth.size());
  VerifyRow row;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!counts(i) || computed[i] == truth[i]) continue;
    if (row.error == 0) {
      row.place = place(i) + " is " + std::to_string(truth[i]) + "; expected " +
                  std::to_string(computed[i]);
    }
    row.error += 1;
  }
  row.passed = row.error == 0;
  return row;
}

}  // namespace dispersion

#include "core/figure/ticks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/figure/field_image.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kSizeMargin = 1.25;   // beyond the outermost sizes, as a factor
constexpr double kFinestStep = 1e-12;  // against the limits of an axis
constexpr double kLongest = 1e7;       // beyond it labels are powers of ten
constexpr int kMostDecimals = 6;       // the same

// Smallest of 1, 2, 5 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  // The tolerance keeps a step that is round already, whatever log10 made of its last bit.
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Axis size_axis(int smallest, int largest, int most_ticks) {
  const auto first = static_cast<std::uint32_t>(std::max(1, smallest));
  const auto last = std::max(first, static_cast<std::uint32_t>(std::max(1, largest)));
  Axis axis;
  axis.label = kItemsLabel;
  axis.logarithmic = true;
  axis.low = first / kSizeMargin;
  axis.high = last * kSizeMargin;
  const int first_power = std::bit_width(first - 1);  // rounded up
  const int last_power = std::bit_width(last) - 1;    // rounded down
  const int powers = last_power - first_power + 1;
  const int stride = std::max(1, (powers + most_ticks - 1) / std::max(1, most_ticks));
  for (int power = first_power; power <= last_power; power += stride) {
    const std::int64_t size = std::int64_t{1} << power;
    axis.ticks.push_back({static_cast<double>(size), grouped_text(size)});
  }
  return axis;
}

std::vector<Tick> round_ticks(double low, double high, int most_ticks) {
  std::vector<Tick> ticks;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high) || most_ticks < 2) return ticks;
  const double step = round_step((high - low) / (most_ticks - 1));
  // Neither limits that differ in their last digits alone nor those at the ends of what a number
  // can be have ticks between them.
  const double farthest = std::max(std::abs(low), std::abs(high));
  if (!std::isfinite(step) || !(step > farthest * kFinestStep)) return ticks;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step * (1 + 1e-9)))));
  const bool plain = farthest < kLongest && decimals <= kMostDecimals;
  const double slack = 1e-9 * step;
  for (double multiple = std::ceil((low - slack) / step); multiple * step <= high + slack;
       ++multiple) {
    const double value = multiple * step;
    ticks.push_back({value, plain ? fixed_text(value, decimals) : magnitude_text(value)});
  }
  return ticks;
}

std::size_t label_stride(const Axis& axis, std::span<const double> sizes, double length,
                         double gap) {
  const std::size_t count = std::min(axis.ticks.size(), sizes.size());
  const auto place = [&](std::size_t i) { return axis_share(axis, axis.ticks[i].value) * length; };
  const auto fits = [&](std::size_t stride) {
    for (std::size_t i = 0; i + stride < count; i += stride) {
      const double halves = (sizes[i] + sizes[i + stride]) / 2;
      if (!(std::abs(place(i + stride) - place(i)) >= halves + gap)) return false;
    }
    return true;
  };
  std::size_t least = 1;
  while (least < count && !fits(least))
    ++least;
  for (std::size_t stride = least; stride < 2 * least && stride < count; ++stride) {
    if ((count - 1) % stride == 0 && fits(stride)) return stride;
  }
  return least;
}

}  // namespace dispersion

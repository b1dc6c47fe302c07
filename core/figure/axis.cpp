#include "core/figure/axis.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kSizeMargin = 1.25;   // factor between an outermost size and the end of its axis
constexpr double kFinestStep = 1e-12;  // smallest step between ticks, relative to the axis' limits
constexpr double kLongest = 1e7;       // from here on labels are written with a power of ten,
constexpr int kMostDecimals = 6;       // and so are labels that would need more decimals
constexpr int kSmallestInFull = -3;    // powers of ten of the ticks that logarithmic axes write
constexpr int kLargestInFull = 4;      // in full
constexpr double kEdge = 1e-9;  // share of an axis by which rounding may put a value beyond its end

// The smallest number that is at least `step` and 1, 2 or 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  // The tolerance keeps a step that is such a number already, although log10 rounds.
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Whether a logarithmic axis can show the value.
bool is_positive(double value) {
  return std::isfinite(value) && value > 0;
}

// The stride that leaves at most `most_ticks` of so many ticks.
int tick_stride(int ticks, int most_ticks) {
  return std::max(1, (ticks + most_ticks - 1) / std::max(1, most_ticks));
}

}  // namespace

bool counts_items(const Axis& axis) {
  return axis.label == kItemsLabel;
}

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
  const int stride = tick_stride(last_power - first_power + 1, most_ticks);
  for (int power = first_power; power <= last_power; power += stride) {
    const std::int64_t size = std::int64_t{1} << power;
    axis.ticks.push_back({static_cast<double>(size), grouped_text(size)});
  }
  return axis;
}

Axis decade_axis(std::string label, double smallest, double largest, int most_ticks) {
  if (!is_positive(smallest)) smallest = largest;
  if (!is_positive(largest)) largest = smallest;
  if (!is_positive(smallest)) {
    smallest = 0.1;
    largest = 10;
  }
  // The tolerance keeps a limit that is a power of ten already, although log10 rounds.
  const int first = static_cast<int>(std::floor(std::log10(smallest) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(largest) - 1e-9)));
  Axis axis;
  axis.label = std::move(label);
  axis.logarithmic = true;
  axis.low = std::pow(10, first);
  axis.high = std::pow(10, last);
  const int stride = tick_stride(last - first + 1, most_ticks);
  axis.ticks = log_ticks(first, last, stride, std::array{1});
  return axis;
}

std::vector<Tick> log_ticks(int first, int last, int stride, std::span<const int> multiples) {
  const bool in_full = first >= kSmallestInFull && last <= kLargestInFull;
  std::vector<Tick> ticks;
  for (int power = first; power <= last; power += stride) {
    for (const int multiple : multiples) {
      const double value = multiple * std::pow(10, power);
      const std::string times = multiple == 1 ? "" : std::to_string(multiple) + "·";
      ticks.push_back(
          {value, in_full ? fixed_text(value, std::max(0, -power)) : times + exponent_text(power)});
    }
  }
  return ticks;
}

std::vector<Tick> round_ticks(double low, double high, int most_ticks) {
  std::vector<Tick> ticks;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high) || most_ticks < 2) return ticks;
  const double step = round_step((high - low) / (most_ticks - 1));
  // No ticks lie between limits that differ in their last digits only, or whose difference
  // overflows.
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
  const auto position = [&](std::size_t i) {
    return axis_share(axis, axis.ticks[i].value) * length;
  };
  const auto fits = [&](std::size_t stride) {
    for (std::size_t i = 0; i + stride < count; i += stride) {
      const double half_sizes = (sizes[i] + sizes[i + stride]) / 2;
      if (!(std::abs(position(i + stride) - position(i)) >= half_sizes + gap)) return false;
    }
    return true;
  };
  std::size_t smallest = 1;
  while (smallest < count && !fits(smallest))
    ++smallest;
  for (std::size_t stride = smallest; stride < 2 * smallest && stride < count; ++stride) {
    if ((count - 1) % stride == 0 && fits(stride)) return stride;
  }
  return smallest;
}

double axis_share(const Axis& axis, double value) {
  if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
  return (value - axis.low) / (axis.high - axis.low);
}

bool beyond(const Axis& axis, double value) {
  const double share = axis_share(axis, value);
  return std::isfinite(share) && (share < -kEdge || share > 1 + kEdge);
}

bool drawable(const Axis& axis) {
  return std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low < axis.high &&
         (!axis.logarithmic || axis.low > 0);
}

}  // namespace dispersion

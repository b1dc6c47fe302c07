#include "core/figure/field_image.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr int kFinest = 512;    // pixels along an axis whose samples are uneven
constexpr double kEdge = 1e-6;  // share of an axis by which rounding puts a sample beyond it

// How the samples of one axis become pixels.
struct Pixels {
  std::vector<int> sample;  // of each pixel
  double low = 0;           // shares of the axis
  double high = 1;
};

std::vector<double> shares(const Axis& axis, const std::vector<double>& samples) {
  std::vector<double> result;
  for (const double sample : samples)
    result.push_back(axis_share(axis, sample));
  return result;
}

bool ascending(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (i > 0 && values[i] <= values[i - 1])) return false;
  }
  return !values.empty();
}

bool even(const std::vector<double>& places) {
  const double step = (places.back() - places.front()) /
                      static_cast<double>(std::max<std::size_t>(1, places.size() - 1));
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (std::fabs(places[i] - places[i - 1] - step) > 1e-3 * step) return false;
  }
  return true;
}

int nearest(const std::vector<double>& places, double share) {
  const auto above = std::ranges::lower_bound(places, share);
  if (above == places.begin()) return 0;
  if (above == places.end()) return static_cast<int>(places.size()) - 1;
  const int index = static_cast<int>(above - places.begin());
  return share - *(above - 1) < *above - share ? index - 1 : index;
}

Pixels pixels(const std::vector<double>& places) {
  Pixels result;
  const std::size_t count = places.size();
  if (count == 1) {
    result.sample = {0};
    return result;
  }
  result.low = places[0] - (places[1] - places[0]) / 2;
  result.high = places[count - 1] + (places[count - 1] - places[count - 2]) / 2;
  // Of samples beyond the axis only what is seen becomes pixels.
  const bool whole = places.front() > -kEdge && places.back() < 1 + kEdge;
  if (!whole) {
    result.low = std::max(result.low, 0.0);
    result.high = std::min(result.high, 1.0);
    if (!(result.low < result.high)) return {};
  }
  const int wanted = whole && even(places) ? static_cast<int>(count) : kFinest;
  for (int i = 0; i < wanted; ++i) {
    result.sample.push_back(
        nearest(places, result.low + (result.high - result.low) * (i + 0.5) / wanted));
  }
  return result;
}

// 0.5 -> "0.5", 1 -> "1"
std::string short_text(double value) {
  std::string text = significant_text(value, 2);
  if (text.find('.') == std::string::npos || text.find("·") != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

double axis_share(const Axis& axis, double value) {
  if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
  return (value - axis.low) / (axis.high - axis.low);
}

bool drawable(const Axis& axis) {
  return std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low < axis.high &&
         (!axis.logarithmic || axis.low > 0);
}

FieldImage field_image(const FieldPlot& plot) {
  FieldImage image;
  if (!drawable(plot.x) || !drawable(plot.y)) return image;
  const std::vector<double> x = shares(plot.x, plot.x_value);
  const std::vector<double> y = shares(plot.y, plot.y_value);
  if (!ascending(x) || !ascending(y) || plot.values.size() != x.size() * y.size()) return image;
  const Pixels across = pixels(x);
  const Pixels up = pixels(y);
  image.rows = static_cast<int>(up.sample.size());
  image.columns = static_cast<int>(across.sample.size());
  image.left = across.low;
  image.right = across.high;
  image.bottom = up.low;
  image.top = up.high;
  for (int row = 0; row < image.rows; ++row) {
    const auto sample_row =
        static_cast<std::size_t>(up.sample[static_cast<std::size_t>(image.rows - 1 - row)]);
    for (const int column : across.sample) {
      const float value = plot.values[sample_row * x.size() + static_cast<std::size_t>(column)];
      image.position.push_back(static_cast<float>(
          colour_position(plot.scale, static_cast<double>(value), plot.low, plot.high)));
    }
  }
  return image;
}

int nearest_sample(const Axis& axis, const std::vector<double>& samples, double share) {
  const std::vector<double> places = shares(axis, samples);
  return ascending(places) && std::isfinite(share) ? nearest(places, share) : -1;
}

std::vector<Tick> scale_ticks(ColourScale scale, double low, double high, int most_ticks) {
  if (scale != ColourScale::kLogarithmic || !(low > 0) || high < 10 * low) {
    return round_ticks(low, high, most_ticks);
  }
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int step = std::max(1, (last - first + most_ticks) / std::max(1, most_ticks));
  std::vector<Tick> ticks;
  for (int exponent = last; exponent >= first; exponent -= step)
    ticks.push_back({std::pow(10, exponent), power_of_ten_text(exponent)});
  std::ranges::reverse(ticks);
  return ticks;
}

std::vector<Tick> bar_ticks(const HeatmapGrid& grid) {
  std::vector<Tick> ticks;
  const auto add = [&](double value) { ticks.push_back({value, short_text(value)}); };
  const double range = grid.high - grid.low;
  if (grid.scale == ColourScale::kLogarithmic && grid.high >= 10 * grid.low && grid.low > 0)
    ticks = scale_ticks(grid.scale, grid.low, grid.high, 5);
  if (ticks.empty() || ticks.front().value > grid.low * (1 + 1e-9))
    ticks.insert(ticks.begin(), {grid.low, short_text(grid.low)});
  if (grid.scale == ColourScale::kSquareRoot) add(grid.low + 0.1 * range);
  if (grid.scale != ColourScale::kLogarithmic) add(grid.low + 0.5 * range);
  if (ticks.size() < 2 || ticks.back().value < grid.high * (1 - 1e-9)) add(grid.high);
  return ticks;
}

std::string scale_label(const FieldPlot& plot) {
  if (plot.scale == ColourScale::kSquareRoot) return plot.value_label + ", √ scale";
  if (plot.scale == ColourScale::kLogarithmic) return plot.value_label + ", log scale";
  return plot.value_label;
}

}  // namespace dispersion

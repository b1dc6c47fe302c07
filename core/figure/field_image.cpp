#include "core/figure/field_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kUnevenPixels = 512;  // along an axis whose samples are uneven
constexpr double kEdge = 1e-6;      // share of an axis by which rounding may put a sample beyond it

// The pixels along one axis.
struct Pixels {
  std::vector<int> sample;  // the index of the sample that each pixel shows
  double low = 0;           // where the first and the last pixel end, in shares of the axis
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

bool evenly_spaced(const std::vector<double>& positions) {
  const double step = (positions.back() - positions.front()) /
                      static_cast<double>(std::max<std::size_t>(1, positions.size() - 1));
  for (std::size_t i = 1; i < positions.size(); ++i) {
    if (std::fabs(positions[i] - positions[i - 1] - step) > 1e-3 * step) return false;
  }
  return true;
}

int nearest(const std::vector<double>& positions, double share) {
  const auto above = std::ranges::lower_bound(positions, share);
  if (above == positions.begin()) return 0;
  if (above == positions.end()) return static_cast<int>(positions.size()) - 1;
  const int index = static_cast<int>(above - positions.begin());
  return share - *(above - 1) < *above - share ? index - 1 : index;
}

Pixels pixels(const std::vector<double>& positions) {
  Pixels result;
  const std::size_t count = positions.size();
  if (count == 1) {
    result.sample = {0};
    return result;
  }
  result.low = positions[0] - (positions[1] - positions[0]) / 2;
  result.high = positions[count - 1] + (positions[count - 1] - positions[count - 2]) / 2;
  // Where samples lie beyond the axis, only the visible part becomes pixels.
  const bool whole = positions.front() > -kEdge && positions.back() < 1 + kEdge;
  if (!whole) {
    result.low = std::max(result.low, 0.0);
    result.high = std::min(result.high, 1.0);
    if (!(result.low < result.high)) return {};
  }
  const int pixel_count =
      whole && evenly_spaced(positions) ? static_cast<int>(count) : kUnevenPixels;
  for (int i = 0; i < pixel_count; ++i) {
    result.sample.push_back(
        nearest(positions, result.low + (result.high - result.low) * (i + 0.5) / pixel_count));
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
  const std::vector<double> positions = shares(axis, samples);
  return ascending(positions) && std::isfinite(share) ? nearest(positions, share) : -1;
}

std::vector<Tick> scale_ticks(ColourScale scale, double low, double high, int most_ticks) {
  if (scale != ColourScale::kLogarithmic || !(low > 0) || high < 10 * low) {
    return round_ticks(low, high, most_ticks);
  }
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int step = std::max(1, (last - first + most_ticks) / std::max(1, most_ticks));
  // The largest power has a tick.
  return log_ticks(last - (last - first) / step * step, last, step, std::array{1});
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

#include "core/figure/decade_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kMostPlainDecimals = 3;
constexpr int kMostPlainZeros = 4;

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number))
    text += c == '-' ? std::string_view("⁻") : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

bool is_shown(double value) {
  return std::isfinite(value) && value > 0;
}

}  // namespace

std::string power_of_ten_text(int exponent) {
  if (exponent < -kMostPlainDecimals || exponent > kMostPlainZeros) {
    return "10" + superscript(exponent);
  }
  return fixed_text(std::pow(10, exponent), std::max(0, -exponent));
}

Axis decade_axis(std::string label, double smallest, double largest, int most_ticks) {
  if (!is_shown(smallest)) smallest = largest;
  if (!is_shown(largest)) largest = smallest;
  if (!is_shown(smallest)) {
    smallest = 0.1;
    largest = 10;
  }
  // The slack keeps a limit that is a power of ten already.
  const int first = static_cast<int>(std::floor(std::log10(smallest) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(largest) - 1e-9)));
  Axis axis;
  axis.label = std::move(label);
  axis.logarithmic = true;
  axis.low = std::pow(10, first);
  axis.high = std::pow(10, last);
  const int powers = last - first + 1;
  const int stride = std::max(1, (powers + most_ticks - 1) / std::max(1, most_ticks));
  for (int power = first; power <= last; power += stride)
    axis.ticks.push_back({std::pow(10, power), power_of_ten_text(power)});
  return axis;
}

}  // namespace dispersion

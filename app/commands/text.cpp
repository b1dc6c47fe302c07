#include "app/commands/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kLongest = 3.2e7;  // a year: beyond it nobody counts

std::string padding(std::string_view text, int width) {
  // Bytes of the form 10xxxxxx continue a character.
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  });
  return std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, width - characters)),
                     ' ');
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) return fixed_text(std::max(seconds, 0.0), 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, kLongest)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string align_right(std::string_view text, int width) {
  return padding(text, width) + std::string(text);
}

std::string align_left(std::string_view text, int width) {
  return std::string(text) + padding(text, width);
}

}  // namespace dispersion

#include "core/figure/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "core/io/text.h"

namespace dispersion {

namespace {

constexpr std::string_view kThinSpace = "\u2009";
constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kNoNumber = "\u2013";
// A power of ten with more decimals or zeros is written as "10⁻⁸".
constexpr int kMostPlainDecimals = 3;
constexpr int kMostPlainZeros = 4;
constexpr double kShownInFull = 1e6;  // magnitudes below this, from 10 on

// "-1234.5" -> "−1 234.5"
std::string typeset(std::string_view plain) {
  std::string text;
  if (plain.starts_with('-')) {
    text += kMinus;
    plain.remove_prefix(1);
  }
  const std::size_t whole = std::min(plain.find('.'), plain.size());
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) text += kThinSpace;
    text += plain[i];
  }
  text += plain.substr(whole);
  return text;
}

std::string superscript(int value) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(value))
    text += c == '-' ? std::string_view("⁻") : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

template <class Scalar>
std::string shortest(Scalar value) {
  std::array<char, 64> text{};
  const double size = std::fabs(static_cast<double>(value));
  const bool without_exponent = size == 0 || (size >= 1e-4 && size < 1e15);
  const auto result =
      without_exponent
          ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed)
          : std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

}  // namespace

std::string grouped_text(std::int64_t value) {
  return typeset(std::to_string(value));
}

std::string counted_text(std::int64_t count, std::string_view one) {
  return grouped_text(count).append(" ").append(one).append(count == 1 ? "" : "s");
}

std::string with_plain_spaces(std::string_view text) {
  std::string plain;
  for (std::size_t thin = 0; (thin = text.find(kThinSpace)) != std::string_view::npos;) {
    plain.append(text.substr(0, thin)) += ' ';
    text.remove_prefix(thin + kThinSpace.size());
  }
  return plain.append(text);
}

namespace {

constexpr std::string_view kNoBreakSpace = "\u00A0";
constexpr std::string_view kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
// Words that belong to the number before them.
constexpr std::array<std::string_view, 14> kUnits = {
    "%", "nats", "points", "ms", "s", "min", "GB", "MB", "KB", "mm", "px", "dpi", "sets", "items"};
// Signs that stand between two parts of one expression.
constexpr std::array<std::string_view, 13> kBinarySigns = {"=", "≈", "<", ">", "≤", "≥", "≠",
                                                           "×", "·", "±", "−", "+", "/"};

// Whether the text ends with a digit or with one in superscript.
bool ends_with_digit(std::string_view text) {
  if (text.empty()) return false;
  if (text.back() >= '0' && text.back() <= '9') return true;
  for (std::size_t i = 0; i < kSuperscripts.size();) {
    const std::size_t length = static_cast<unsigned char>(kSuperscripts[i]) >= 0xE0 ? 3 : 2;
    if (text.ends_with(kSuperscripts.substr(i, length))) return true;
    i += length;
  }
  return false;
}

bool is_binary_sign(std::string_view word) {
  return std::ranges::find(kBinarySigns, word) != kBinarySigns.end();
}

bool is_unit(std::string_view word) {
  while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return std::ranges::find(kUnits, word) != kUnits.end();
}

}  // namespace

std::string kept_together(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    result += word;
    if (end == text.size()) return result;
    text.remove_prefix(end + 1);
    const std::string_view after = text.substr(0, text.find(' '));
    const bool joined =
        is_binary_sign(word) || is_binary_sign(after) || (ends_with_digit(word) && is_unit(after));
    result += joined ? kNoBreakSpace : std::string_view(" ");
  }
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  std::array<char, 400> buffer;  // the largest double has 309 digits before the point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, std::clamp(decimals, 0, 20));
  std::string_view digits(buffer.data(), end);
  if (digits.find_first_not_of("-0.") == std::string_view::npos && digits.starts_with('-')) {
    digits.remove_prefix(1);  // "0.00", not "−0.00"
  }
  return typeset(digits);
}

namespace {

// The number with so many decimals that is next to `value`, above it or below.
double with_decimals(double value, int decimals, bool above) {
  const double scale = std::pow(10, decimals);
  const double near = std::round(value * scale);
  // The quotient is the very number that the decimals are read as.
  if (above && near / scale < value) return (near + 1) / scale;
  if (!above && near / scale > value) return (near - 1) / scale;
  return near / scale;
}

}  // namespace

std::string at_most_text(double value, int decimals) {
  return fixed_text(with_decimals(value, decimals, true), decimals);
}

std::string at_least_text(double value, int decimals) {
  return fixed_text(with_decimals(value, decimals, false), decimals);
}

std::string exponent_text(int exponent) {
  return "10" + superscript(exponent);
}

std::string power_of_ten_text(int exponent) {
  if (exponent < -kMostPlainDecimals || exponent > kMostPlainZeros) {
    return exponent_text(exponent);
  }
  return fixed_text(std::pow(10, exponent), std::max(0, -exponent));
}

std::string significant_text(double value, int figures) {
  if (value == 0 || !std::isfinite(value)) return fixed_text(value, 0);
  int power = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  // 9.996 rounds to 10.0, which has one digit more before the point.
  if (std::round(std::fabs(value) / std::pow(10, power - figures + 1)) >= std::pow(10, figures))
    ++power;
  if (power >= -4 && power <= 5) return fixed_text(value, std::max(0, figures - 1 - power));
  const double mantissa = value / std::pow(10, power);
  return fixed_text(mantissa, figures - 1) + "·10" + superscript(power);
}

std::string probability_text(double p) {
  if (p >= 0 && p < 1e-12) return "<10⁻¹²";
  return significant_text(p, 2);
}

std::string printed_probability_text(double p) {
  return significant_text(p, 1);
}

std::string weight_text(double weight) {
  if (!std::isfinite(weight)) return std::string(kNoNumber);
  if (weight >= 0.0995) return fixed_text(weight, 2);
  if (weight >= 0.00995) return fixed_text(weight, 3);
  if (weight >= 0.001) return fixed_text(weight, 4);
  return "<0.001";
}

std::string weight_at_most_text(double weight) {
  if (!(weight >= 0.001)) return weight_text(weight);
  const int decimals = weight > 0.099 ? 2 : weight > 0.0099 ? 3 : 4;
  return at_most_text(std::min(1.0, weight), decimals);
}

std::string percent_text(double share, int decimals) {
  constexpr int kMostDecimals = 8;
  const auto looks_whole = [&](int digits) {
    const double unit = std::pow(10.0, -digits);
    return 100 * share < unit / 2 || 100 * (1 - share) <= unit / 2;
  };
  constexpr double kRounding = 1e-9;  // of an end of an interval that is 0 or 1
  const bool part = share > kRounding && share < 1 - kRounding;
  while (part && decimals < kMostDecimals && looks_whole(decimals))
    ++decimals;
  return fixed_text(100 * share, decimals);
}

std::string plain_number(double value) {
  return shortest(value);
}

std::string plain_number(float value) {
  return shortest(value);
}

std::string computed_number(double value) {
  using Single = std::numeric_limits<float>;
  const double size = std::fabs(value);
  const bool held = size >= double{Single::min()} && size <= double{Single::max()};
  return held && value != std::floor(value) ? plain_number(static_cast<float>(value))
                                            : plain_number(value);
}

std::string magnitude_text(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? "0" : fixed_text(value, 0);
  const double size = std::abs(value);
  if (size >= 10 && size < kShownInFull) return fixed_text(value, 0);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  // 9.97 of a power of ten is 1.0 of the next one.
  if (exponent < 0 && std::round(10 * size / std::pow(10, exponent)) >= 100) ++exponent;
  if (exponent >= -3 && exponent < 1) return fixed_text(value, 1 - std::min(exponent, 0));
  return fixed_text(value / std::pow(10, exponent), 1) + "·" + power_of_ten_text(exponent);
}

std::string magnitude_text_up(double value) {
  if (value == 0 || !std::isfinite(value)) return magnitude_text(value);
  if (value >= 10 && value < kShownInFull) return magnitude_text(std::ceil(value));
  const double tenth = std::pow(10, std::floor(std::log10(value)) - 1);  // of the first digit
  return magnitude_text(std::ceil(value / tenth) * tenth);
}

namespace {

// The number nearest to `value`, and its own value.
std::pair<std::string, double> scientific(double value) {
  std::array<char, 40> buffer;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                  std::chars_format::scientific, 1)
                        .ptr;
  double shown = 0;
  std::from_chars(buffer.data(), end, shown);
  return {std::string(buffer.data(), end), shown};
}

// Some more than half a unit of the second digit: so far beyond a number that was rounded inward
// lies one that is rounded to the next.
double to_next(double value) {
  return 0.6 * std::pow(10, std::floor(std::log10(value)) - 1);
}

}  // namespace

std::string scientific_text_up(double value) {
  const auto [text, shown] = scientific(value);
  return shown >= value ? text : scientific(value + to_next(value)).first;
}

std::string scientific_text_down(double value) {
  const auto [text, shown] = scientific(value);
  return shown <= value ? text : scientific(value - to_next(value)).first;
}

std::string log10_text(double log10) {
  return log10 < 1e9 ? exact_text(std::round(10 * log10) / 10) : "(" + magnitude_text(log10) + ")";
}

std::string count_text(double count) {
  return count < kShownInFull ? grouped_text(std::llround(count)) : magnitude_text(count);
}

}  // namespace dispersion

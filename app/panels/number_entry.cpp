#include "app/panels/number_entry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The text with each space that sets numbers apart as one ' ', and none around it.
std::string plain_spaces(std::string_view text) {
  constexpr std::array<std::string_view, 4> kSpaces = {" ", "\u2009", "\u00A0", "\u202F"};
  std::string result;
  while (!text.empty()) {
    const auto space = std::ranges::find_if(
        kSpaces, [&](std::string_view each) { return text.starts_with(each); });
    if (space == kSpaces.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += ' ';
      text.remove_prefix(space->size());
    }
  }
  const std::size_t first = result.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return result.substr(first, result.find_last_not_of(' ') - first + 1);
}

// The places of this sign.
std::vector<std::size_t> places_of(const std::string& text, char sign) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == sign) places.push_back(i);
  }
  return places;
}

// Whether the sign at these places sets groups of three digits apart, up to `end`.
bool sets_groups_apart(const std::string& text, const std::vector<std::size_t>& places,
                       std::size_t end) {
  const std::size_t begin = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (places.empty() || places.front() == begin || places.front() > begin + 3) return false;
  if (text[begin] == '0') return false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t next = i + 1 < places.size() ? places[i + 1] : end;
    if (next != places[i] + 4) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](char c) { return is_digit(c) || c == text[places.front()]; });
}

void remove(std::string& text, char sign) {
  std::erase(text, sign);
}

// Where the whole part of the number ends.
std::size_t whole_end(const std::string& text, std::string_view signs) {
  return std::min(text.find_first_of(signs), text.size());
}

std::optional<double> as_number(std::string text) {
  if (text.starts_with('+')) text.erase(0, 1);
  double read = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), read);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(read)) return std::nullopt;
  return read;
}

// Takes groups set apart by spaces together; false: the spaces are elsewhere.
bool take_spaces(std::string& text) {
  const std::vector<std::size_t> spaces = places_of(text, ' ');
  if (spaces.empty()) return true;
  if (!sets_groups_apart(text, spaces, whole_end(text, ".,eE"))) return false;
  remove(text, ' ');
  return true;
}

// "1,000", of which nobody knows whether it is one or a thousand.
std::string unclear(const std::string& text) {
  std::string together = text;
  remove(together, ',');
  return "write " + together + " or " + text.substr(0, text.find(',')) + ".0";
}

// With a point for the decimals and no groups, or a hint where that is not clear.
NumberRead with_commas(std::string text, bool whole) {
  const std::vector<std::size_t> commas = places_of(text, ',');
  const std::vector<std::size_t> points = places_of(text, '.');
  if (commas.empty()) return {as_number(text), ""};
  if (points.empty() && commas.size() == 1) {
    if (sets_groups_apart(text, commas, text.size()))
      return {std::nullopt,
              whole ? "write " + std::string(text).erase(commas[0], 1) : unclear(text)};
    text[commas[0]] = '.';
    return {as_number(text), ""};
  }
  const bool point_last = !points.empty() && points.back() > commas.back();
  if (points.empty() || (point_last && points.size() == 1)) {
    if (!sets_groups_apart(text, commas, point_last ? points[0] : text.size())) return {};
    remove(text, ',');
    return {as_number(text), ""};
  }
  if (commas.size() != 1 || !sets_groups_apart(text, points, commas[0])) return {};
  remove(text, '.');
  text[text.find(',')] = '.';
  return {as_number(text), ""};
}

}  // namespace

NumberRead read_number(std::string_view typed, bool whole) {
  std::string text = plain_spaces(typed);
  if (!take_spaces(text)) return {};
  const NumberRead read = with_commas(text, whole);
  if (!whole || !read.value) return read;
  const bool fraction = *read.value != std::floor(*read.value);
  // "100.000" is a hundred for some and a hundred thousand for others.
  const bool pointed = places_of(text, '.').size() == 1;
  return fraction || pointed ? NumberRead{std::nullopt, "whole numbers, no points"} : read;
}

std::string entry_text(double value, bool is_count) {
  constexpr double kLargest = 1e15;  // beyond it, groups are hard to count
  const bool whole = std::fabs(value) < kLargest && value == std::floor(value);
  return is_count && whole ? grouped_text(static_cast<std::int64_t>(value)) : plain_number(value);
}

}  // namespace dispersion

#include "app/commands/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/commands/text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

std::string range_text(WholeRange range) {
  if (range.high == std::numeric_limits<std::int64_t>::max()) {
    return "a whole number of at least " + std::to_string(range.low);
  }
  return "a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high);
}

std::string range_text(RealRange range) {
  std::string text = "a number";
  if (std::isfinite(range.low)) {
    text += (range.low_included ? " of at least " : " above ") + exact_text(range.low);
  }
  if (std::isfinite(range.high)) {
    text += std::string(std::isfinite(range.low) ? " and" : "") +
            (range.high_included ? " at most " : " below ") + exact_text(range.high);
  }
  return text;
}

bool contains(RealRange range, double value) {
  return std::isfinite(value) && (range.low_included ? value >= range.low : value > range.low) &&
         (range.high_included ? value <= range.high : value < range.high);
}

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

template <class Range>
[[noreturn]] void refuse(std::string_view text, Range range) {
  throw UsageError("expected " + range_text(range) + ", not " + in_quotes(text));
}

}  // namespace

std::int64_t parse_whole(std::string_view text, WholeRange range) {
  std::int64_t value = 0;
  if (!read_all(text, value) || value < range.low || value > range.high) refuse(text, range);
  return value;
}

double parse_real(std::string_view text, RealRange range) {
  double value = 0;
  if (!read_all(text, value) || !contains(range, value)) refuse(text, range);
  return value;
}

std::vector<int> parse_whole_list(std::string_view text, WholeRange range) {
  std::vector<int> values;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto value = static_cast<int>(parse_whole(text.substr(0, comma), range));
    if (std::ranges::find(values, value) != values.end())
      throw UsageError(std::to_string(value) + " is named twice");
    values.push_back(value);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

std::string parse_name(std::string_view text, const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, in_small_letters(text));
  if (found != names.end()) return *found;
  throw UsageError("expected " + alternatives(names) + ", not " + in_quotes(text) +
                   did_you_mean(text, names));
}

std::vector<std::string> with_empty_values(const std::vector<std::string>& words) {
  std::vector<std::string> separate;
  bool options = true;
  for (const std::string& word : words) {
    options = options && word != "--";
    const std::string name = word.substr(0, word.find('='));
    const bool named = name.size() > 2 ? name.starts_with("--")
                                       : name.size() == 2 && name[0] == '-' && name[1] != '-';
    if (options && named && name.size() + 1 == word.size()) {
      separate.insert(separate.end(), {name, ""});
    } else {
      separate.push_back(word);
    }
  }
  return separate;
}

}  // namespace dispersion

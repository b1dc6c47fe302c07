#include "tests/fuzz/mutations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dispersion::fuzz {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 18;  // of an input that grows

// clang-format off
constexpr std::array<std::string_view, 24> kNumbers = {
    "0", "-0", "1", "-1", "2", "16", "255", "256", "4096", "65536", "2147483647", "2147483648",
    "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "0.1", "1e-30", "1e30", "1e-400", "1e308", "1e400", "nan", "inf"};
// clang-format on

// The last but one is a character that Unicode keeps free for ever, and the last begins none.
constexpr std::array<std::string_view, 16> kTexts = {
    "",          "a",           "\x1b[2J",   "\xe2\x80\xae", "\xef\xbb\xbf",
    "a,b\"c\nd", "</metadata>", "--",        "\\",           ")",
    "&amp;",     "../../x",     "endstream", "\xef\xbf\xbf", std::string_view("a\0b", 3),
    "\xff"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Replaces one of the numbers in the text.
void change_number(std::string& text, Random& random) {
  std::size_t at = random.below(text.size());
  while (at < text.size() && !is_digit(text[at]))
    ++at;
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  if (at < end) text.replace(at, end - at, random.pick(kNumbers));
}

void change_once(std::string& bytes, Random& random) {
  const std::size_t at = random.below(bytes.size());
  const std::size_t length = 1 + random.below(std::min<std::size_t>(bytes.size() - at, 64));
  switch (random.below(8)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8));
      return;
    case 1:
      bytes[at] = static_cast<char>(random.next());
      return;
    case 2:
      bytes.erase(at, length);
      return;
    case 3:
      bytes.insert(random.below(bytes.size()), bytes.substr(at, length));
      return;
    case 4:
      bytes.insert(at, random.pick(kTexts));
      return;
    case 5:
      bytes.insert(at, 1 + random.below(300), static_cast<char>(random.next()));
      return;
    case 6:
      if (random.one_in(4)) bytes.resize(at);
      return;
    default:
      change_number(bytes, random);
  }
}

void collect(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& item : value)
    collect(item, all);
}

Json strange_value(Random& random) {
  using Limits = std::numeric_limits<double>;
  const std::array<Json, 20> values = {nullptr,
                                       true,
                                       false,
                                       0,
                                       1,
                                       -1,
                                       2147483648u,
                                       -2147483649,
                                       1e15,
                                       1e39,
                                       Limits::max(),
                                       Limits::min(),
                                       -0.0,
                                       1e-310,
                                       std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::uint64_t>::max(),
                                       Json::array(),
                                       Json::object(),
                                       std::string(600, 'x'),
                                       random.pick(kTexts)};
  return random.pick(values);
}

// A number near the old one, or of another size.
Json changed_number(const Json& number, Random& random) {
  const double value = number.get<double>();
  if (number.is_number_integer() && std::abs(value) < 1e15) {
    const auto whole = number.get<std::int64_t>();
    const std::array<Json, 6> near = {0, whole + 1, whole - 1, -whole, 2 * whole, whole / 2};
    return random.pick(near);
  }
  const std::array<Json, 6> near = {0.0, value / 2, value * 1e3, -value, value + 1, value * 1e-3};
  return random.pick(near);
}

void change_object(Json& object, Random& random) {
  if (object.empty()) return;
  auto at = object.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random.below(object.size())));
  const std::string key = at.key();
  const Json value = at.value();
  if (!random.one_in(3)) object.erase(key);
  if (!random.one_in(3)) object[mutated_bytes(key, random)] = value;
}

void change_list(Json& list, Random& random) {
  if (list.empty()) return;
  const std::size_t at = random.below(list.size());
  const Json value = list[at];
  if (random.one_in(2)) {
    list.erase(at);
  } else {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), value);
  }
}

void nest(Json& value, Random& random) {
  for (std::size_t depth = random.below(40); depth > 0; --depth) {
    Json outer = Json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
}

void change_value(Json& value, const Json& other, Random& random) {
  if (random.one_in(6)) {
    value = strange_value(random);
  } else if (random.one_in(20)) {
    nest(value, random);
  } else if (random.one_in(12)) {
    value = Json(other);
  } else if (value.is_number()) {
    value = changed_number(value, random);
  } else if (value.is_string()) {
    value = random.one_in(2) ? std::string(random.pick(kTexts))
                             : mutated_bytes(value.get<std::string>(), random);
  } else if (value.is_boolean()) {
    value = !value.get<bool>();
  } else if (value.is_object()) {
    change_object(value, random);
  } else if (value.is_array()) {
    change_list(value, random);
  }
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line;
  return text;
}

// `lines` must not be empty.
void change_line(std::vector<std::string>& lines, Random& random) {
  const std::size_t at = random.below(lines.size());
  switch (random.below(7)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(lines[at]));
      return;
    case 2:
      std::swap(lines[at], lines[random.below(lines.size())]);
      return;
    case 3:
      lines[at].insert(lines[at].size() - 1, random.one_in(2) ? "\r" : ",1");
      return;
    case 4:
      lines[at] = mutated_bytes(lines[at].substr(0, lines[at].find('\n')), random) + "\n";
      return;
    case 5:
      if (at + 1 == lines.size()) lines[at].pop_back();
      if (lines[at].empty()) lines.pop_back();
      return;
    default:
      change_number(lines[at], random);
  }
}

}  // namespace

std::string mutated_bytes(std::string bytes, Random& random) {
  for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
    if (bytes.empty()) bytes = random.pick(kTexts);
    if (!bytes.empty()) change_once(bytes, random);
  }
  bytes.resize(std::min(bytes.size(), kMostBytes));
  return bytes;
}

std::string mutated_json(const std::string& json, Random& random) {
  Json root = Json::parse(json, nullptr, false);
  if (root.is_discarded() || random.one_in(12)) return mutated_bytes(json, random);
  for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
    std::vector<Json*> all;
    collect(root, all);
    const Json other = *random.pick(all);
    change_value(*random.pick(all), other, random);
  }
  std::string text = text_of(root);
  return text.size() <= kMostBytes ? text : mutated_bytes(json, random);
}

std::string mutated_json_lines(const std::string& text, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.empty() || random.one_in(8)) return mutated_lines(text, random);
  std::string& line = lines[random.below(lines.size())];
  line = mutated_json(line, random) + "\n";
  return joined(lines);
}

std::string mutated_lines(const std::string& text, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  if (random.one_in(8)) return mutated_bytes(text, random);
  for (std::size_t changes = 1 + random.below(3); changes > 0 && !lines.empty(); --changes)
    change_line(lines, random);
  std::string changed = joined(lines);
  return changed.size() <= kMostBytes ? changed : text;
}

}  // namespace dispersion::fuzz

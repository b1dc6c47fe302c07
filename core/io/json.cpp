#include "core/io/json.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_text(const std::string& what) {
  throw std::invalid_argument(what);
}

[[noreturn]] void refuse_size(const std::string& what) {
  throw LimitError(what);
}

// Checks depth, keys and the number of values while the parser works. The parser itself would
// silently keep only one of two equal keys.
class LimitChecker {
 public:
  explicit LimitChecker(const JsonLimits& limits) : limits_(limits) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    // A list or an object begins in the depth of what it is in.
    const bool begins = event == Event::object_start || event == Event::array_start;
    if (depth + (begins ? 1 : 0) > limits_.depth) {
      refuse_size("JSON is nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    if (begins || event == Event::value) count_value();
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) add_key(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void count_value() {
    if (++values_ > limits_.values)
      refuse_size("JSON has more than " + std::to_string(limits_.values) + " values");
  }

  void add_key(const std::string& key) {
    if (key.size() > limits_.key_bytes) {
      refuse_size("JSON has a key of " + std::to_string(key.size()) + " bytes, " + in_quotes(key) +
                  "; expected at most " + std::to_string(limits_.key_bytes));
    }
    if (!keys_.back().insert(key).second)
      refuse_text("JSON has the key " + in_quotes(key) + " twice in one object");
    if (keys_.back().size() > limits_.keys) {
      refuse_size("JSON has more than " + std::to_string(limits_.keys) +
                  " keys in one object, the last of them " + in_quotes(key));
    }
  }

  const JsonLimits& limits_;
  std::size_t values_ = 0;                   // so far
  std::vector<std::set<std::string>> keys_;  // of the objects that are being parsed
};

// The parser's message without its prefix, such as "[json.exception.parse_error.101] ". It is cut,
// since it quotes the whole of a text or a number that the parser refuses.
std::string reason_of(const nlohmann::json::exception& error) {
  constexpr std::size_t kLongestReason = 240;
  std::string_view reason = error.what();
  const std::size_t end = reason.find("] ");
  if (reason.starts_with("[json.") && end != std::string_view::npos) reason.remove_prefix(end + 2);
  return foreign_text(reason, kLongestReason);
}

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    refuse_size("JSON has " + std::to_string(text.size()) + " bytes; expected at most " +
                std::to_string(limits.bytes));
  }
  // The parser would treat a NUL as the end of its input.
  if (text.find('\0') != std::string_view::npos) refuse_text("JSON contains a NUL byte");
  LimitChecker checker(limits);
  try {
    text = without_byte_order_mark(text);
    return Json::parse(text.begin(), text.end(), std::ref(checker));
  } catch (const nlohmann::json::exception& error) {
    refuse_text("not valid JSON: " + reason_of(error));
  }
}

JsonValue::JsonValue(const std::filesystem::path& file, const Json& json, std::string place)
    : file_(&file), json_(&json), place_(std::move(place)) {}

void JsonValue::refuse(const std::string& expected) const {
  throw FileError(*file_, (place_.empty() ? "it" : in_quotes(place_)) + " should be " + expected);
}

std::string JsonValue::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : place_ + "." + std::string(key);
}

bool JsonValue::is_null() const {
  return json_->is_null();
}

bool JsonValue::flag() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

std::string JsonValue::text() const {
  if (!json_->is_string()) refuse("a text");
  return json_->get<std::string>();
}

double JsonValue::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

std::int64_t JsonValue::integer(std::int64_t least, std::int64_t most) const {
  const auto outside = [&](auto value) {
    return std::cmp_less(value, least) || std::cmp_greater(value, most);
  };
  if (!json_->is_number_integer() ||
      (json_->is_number_unsigned() ? outside(json_->get<std::uint64_t>())
                                   : outside(json_->get<std::int64_t>()))) {
    refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return json_->get<std::int64_t>();
}

JsonValue JsonValue::at(std::string_view key) const {
  if (std::optional<JsonValue> found = find(key)) return *std::move(found);
  throw FileError(*file_, in_quotes(place_of(key)) + " is missing");
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) return std::nullopt;
  return JsonValue(*file_, *found, place_of(key));
}

std::vector<std::string> JsonValue::keys() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::string> keys;
  for (const auto& [key, value] : json_->items())
    keys.push_back(key);
  return keys;
}

std::size_t JsonValue::size() const {
  if (!json_->is_array()) refuse("a list");
  return json_->size();
}

JsonValue JsonValue::at(std::size_t index) const {
  if (index >= size()) refuse("a list of more than " + std::to_string(index));
  return JsonValue(*file_, (*json_)[index], place_ + "[" + std::to_string(index) + "]");
}

JsonDocument::JsonDocument(std::filesystem::path file, std::string_view text,
                           const JsonLimits& limits)
    : file_(std::move(file)) {
  try {
    json_ = std::make_unique<const Json>(parse_json(text, limits));
  } catch (const std::invalid_argument& error) {
    throw FileError(file_, error.what());
  }
}

JsonDocument::~JsonDocument() = default;

JsonValue JsonDocument::root() const {
  return JsonValue(file_, *json_);
}

}  // namespace dispersion

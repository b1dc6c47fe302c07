#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// What is read is larger than any file of this program; the text says which limit it exceeds.
class LimitError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Limits for JSON from outside the program; larger documents are refused.
struct JsonLimits {
  std::size_t bytes = std::size_t{64} << 20;  // of the text
  int depth = 32;                             // of nested lists and objects
  std::size_t keys = 256;                     // of one object, since a look-up compares them all
  std::size_t key_bytes = 512;                // of one key, since the places in errors repeat it
  std::size_t values = std::size_t{1} << 22;  // in all, since one takes more memory than its text
};

// Parses JSON from outside the program; everything that reads JSON uses this function. Accepts
// plain JSON within the limits, without repeated keys in an object; a byte-order mark before it is
// skipped. Throws LimitError, or another std::invalid_argument that says where the text is wrong
// and what was expected.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

// A value in a document, with its place, such as plots[0].x.label. Reading a value that is missing
// or of another type throws FileError that names the file, the place and what was expected.
class JsonValue {
 public:
  // `file`: what errors call the file. It and `json` have to outlive this object.
  JsonValue(const std::filesystem::path& file, const nlohmann::ordered_json& json,
            std::string place = "");

  const std::string& place() const { return place_; }
  const nlohmann::ordered_json& json() const { return *json_; }

  // Throws "PLACE should be EXPECTED".
  [[noreturn]] void refuse(const std::string& expected) const;

  bool is_null() const;
  bool flag() const;
  std::string text() const;
  double number() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  template <class Int>
  Int integer() const {  // any value of Int, which has at most 64 bits including a sign
    using Limits = std::numeric_limits<Int>;
    return static_cast<Int>(integer(Limits::min(), Limits::max()));
  }

  // For objects. find() returns nothing where the key is missing.
  JsonValue at(std::string_view key) const;
  std::optional<JsonValue> find(std::string_view key) const;
  std::vector<std::string> keys() const;

  // For lists.
  std::size_t size() const;
  JsonValue at(std::size_t index) const;
  template <class Convert>
  auto list(Convert convert) const {  // convert(JsonValue) for every item
    std::vector<decltype(convert(*this))> items;
    items.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
      items.push_back(convert(at(i)));
    return items;
  }

 private:
  std::string place_of(std::string_view key) const;  // the place of a key of this object

  const std::filesystem::path* file_;
  const nlohmann::ordered_json* json_;
  std::string place_;
};

// A parsed document, which owns the values that root() gives access to.
class JsonDocument {
 public:
  // Throws FileError for what parse_json() refuses.
  JsonDocument(std::filesystem::path file, std::string_view text, const JsonLimits& limits = {});
  ~JsonDocument();
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  const std::filesystem::path& file() const { return file_; }
  JsonValue root() const;

 private:
  std::filesystem::path file_;
  std::unique_ptr<const nlohmann::ordered_json> json_;
};

}  // namespace dispersion

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// What JSON from outside may take of the machine before it is refused.
struct JsonLimits {
  std::size_t bytes = std::size_t{64} << 20;  // of the text
  int depth = 32;                             // of lists and objects in one another
  std::size_t keys = 256;                     // of one object; looking one up takes this long
};

// The one way to read JSON from outside: plain JSON, no key twice in one object, within the limits.
// Throws std::invalid_argument that says where the text is wrong and what was expected.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

// One value of a document and its place in it, such as plots[0].x.label. Whatever is missing or of
// another kind throws FileError that names file, place and what was expected.
class JsonValue {
 public:
  // The file's name is for errors. Both must outlive this.
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
  Int integer() const {  // any that the type holds; Int is of at most 64 bits, with its sign
    using Limits = std::numeric_limits<Int>;
    return static_cast<Int>(integer(Limits::min(), Limits::max()));
  }

  // Of an object. find() gives nothing where the key is missing.
  JsonValue at(std::string_view key) const;
  std::optional<JsonValue> find(std::string_view key) const;
  std::vector<std::string> keys() const;

  // Of a list.
  std::size_t size() const;
  JsonValue at(std::size_t index) const;
  template <class Convert>
  auto list(Convert convert) const {  // convert(JsonValue) of every item
    std::vector<decltype(convert(*this))> items;
    items.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
      items.push_back(convert(at(i)));
    return items;
  }

 private:
  const std::filesystem::path* file_;
  const nlohmann::ordered_json* json_;
  std::string place_;
};

// A document in memory.
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

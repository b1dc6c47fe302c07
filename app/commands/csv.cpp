#include "app/commands/csv.h"

#include <string_view>

namespace dispersion {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string field(const Json& value) {
  if (value.is_null()) return "";
  return quoted(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string csv_text(std::span<const Json> rows) {
  std::string names;
  std::string lines;
  for (const Json& row : rows) {
    std::string_view separator;
    for (const auto& [key, value] : row.items()) {
      if (&row == rows.data()) {
        names += separator;
        names += quoted(key);
      }
      lines += separator;
      lines += field(value);
      separator = ",";
    }
    lines += '\n';
  }
  names += '\n';
  return names + lines;
}

}  // namespace dispersion

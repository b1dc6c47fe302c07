#include "app/commands/csv.h"

#include <string_view>

#include "core/io/csv_field.h"

namespace dispersion {
namespace {

std::string field(const Json& value) {
  if (value.is_null()) return "";
  return csv_field(value.is_string() ? value.get<std::string>() : value.dump());
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
        names += csv_field(key);
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

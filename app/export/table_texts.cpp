#include "app/export/table_texts.h"

#include <algorithm>
#include <stdexcept>

namespace dispersion {

std::size_t columns_of(const Table& table) {
  std::size_t columns = table.headings.size();
  for (const auto& row : table.rows)
    columns = std::max(columns, row.size());
  return columns;
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += between;
    text += parts[i];
  }
  return text;
}

std::vector<std::string> heading_texts(const Table& table, Escape escape) {
  std::vector<std::string> texts;
  for (const std::string& heading : table.headings)
    texts.push_back(escape(heading));
  texts.resize(columns_of(table));
  return texts;
}

void require_tables(const Figure& figure) {
  if (figure.tables.empty())
    throw std::invalid_argument("the figure '" + figure.name + "' has no table");
}

std::string comment_text(const std::string& name, const std::string& value,
                         std::string_view forbidden) {
  std::string text = name + ": " + value;
  std::erase_if(text, [&](char c) { return forbidden.find(c) != std::string_view::npos; });
  return text;
}

}  // namespace dispersion

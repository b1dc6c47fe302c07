#include <string>
#include <string_view>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/provenance.h"
#include "app/export/table_texts.h"

namespace dispersion {
namespace {

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|\\*_`<").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::vector<std::string> row_texts(const std::vector<TableCell>& row, std::size_t columns) {
  std::vector<std::string> texts;
  for (const TableCell& cell : row) {
    const std::string text = markdown_text(cell.text);
    texts.push_back(cell.strong && !text.empty() ? "**" + text + "**" : text);
  }
  texts.resize(columns);
  return texts;
}

std::string markdown_table(const Table& table) {
  const std::size_t columns = columns_of(table);
  std::vector<std::string> rule(columns, "---:");
  if (!rule.empty()) rule.front() = ":---";
  std::string text = "**" + markdown_text(table.title) + "** " + markdown_text(table.subtitle) +
                     "\n\n| " + join(heading_texts(table, markdown_text), " | ") + " |\n| " +
                     join(rule, " | ") + " |\n";
  for (const auto& row : table.rows) {
    text += "| ";
    text += join(row_texts(row, columns), " | ");
    text += " |\n";
  }
  for (const std::string& note : table.notes) {
    text += "\n";
    text += markdown_text(note);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string figure_markdown(const Figure& figure) {
  require_tables(figure);
  std::string text;
  for (const auto& [name, value] : figure.provenance) {
    text += "<!-- ";
    text += comment_text(name, value, "\r\n<>");
    text += " -->\n";
  }
  for (const Table& table : figure.tables) {
    if (!text.empty()) text += "\n";
    text += markdown_table(table);
  }
  return text;
}

std::optional<Provenance> markdown_provenance(std::string_view bytes) {
  return provenance_in_comments(bytes, "<!-- ", " -->");
}

}  // namespace dispersion

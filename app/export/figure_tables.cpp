// The tables of a figure as LaTeX and as Markdown.

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/encodings.h"
#include "app/export/figure_data.h"
#include "app/export/provenance.h"

namespace dispersion {
namespace {

using Escape = std::string (*)(std::string_view);
using Cells = std::vector<TableCell>;

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

// The escaped headings of all columns_of(table) columns; missing ones are empty.
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

// --- LaTeX ---

// How many letters of \footnotesize fit into a line of an article in 10 points: in one of two
// columns (200 pt) and across the page (345 pt). A table wider than a column is set across the
// page. In one wider than the page, intervals stand below their means, and LaTeX shrinks the table
// to the line if it is still too wide.
constexpr std::size_t kColumnLetters = 44;
constexpr std::size_t kPageLetters = 80;

constexpr std::string_view kFitToLine =
    "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{";

constexpr std::string_view kPlusMinus = " ± ";

// How LaTeX writes the characters that have a special meaning to it or are not in its usual fonts.
const std::map<char32_t, std::string_view>& tex_names() {
  static const std::map<char32_t, std::string_view> kNames = {
      {'&', "\\&"},
      {'%', "\\%"},
      {'$', "\\$"},
      {'#', "\\#"},
      {'_', "\\_"},
      {'{', "\\{"},
      {'}', "\\}"},
      {'~', "\\textasciitilde{}"},
      {'^', "\\textasciicircum{}"},
      {'\\', "\\textbackslash{}"},
      {'<', "$<$"},
      {'>', "$>$"},
      {U'θ', "$\\theta$"},
      {U'β', "$\\beta$"},
      {U'δ', "$\\delta$"},
      {U'Δ', "$\\Delta$"},
      {U'λ', "$\\lambda$"},
      {U'σ', "$\\sigma$"},
      {U'ε', "$\\varepsilon$"},
      {U'ρ', "$\\rho$"},
      {U'π', "$\\pi$"},
      {U'≤', "$\\le$"},
      {U'≥', "$\\ge$"},
      {U'≠', "$\\ne$"},
      {U'≈', "$\\approx$"},
      {U'×', "$\\times$"},
      {U'·', "$\\cdot$"},
      {U'±', "$\\pm$"},
      {U'−', "$-$"},
      {U'→', "$\\to$"},
      {U'∞', "$\\infty$"},
      {U'√', "$\\surd$"},
      {U'‖', "$\\|$"},
      {U'…', "\\dots{}"},
      {U'–', "--"},
      {0x2009, "\\,"},
      {0xA0, "~"},
      {U'⁰', "$^{0}$"},
      {U'¹', "$^{1}$"},
      {U'²', "$^{2}$"},
      {U'³', "$^{3}$"},
      {U'⁴', "$^{4}$"},
      {U'⁵', "$^{5}$"},
      {U'⁶', "$^{6}$"},
      {U'⁷', "$^{7}$"},
      {U'⁸', "$^{8}$"},
      {U'⁹', "$^{9}$"},
      {U'⁻', "$^{-}$"},
  };
  return kNames;
}

std::string tex_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    const auto found = tex_names().find(character);
    if (found != tex_names().end()) {
      result += found->second;
    } else {
      append_character(result, character);
    }
  }
  // Joins the superscripts of consecutive characters to one exponent.
  constexpr std::string_view kBetween = "}$$^{";
  for (std::size_t at = 0; (at = result.find(kBetween, at)) != std::string::npos;)
    result.erase(at, kBetween.size());
  return result;
}

std::size_t letters_in(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    take_character(text);
    ++count;
  }
  return count;
}

// The width of the table in letters: the widest cell of each column, and two letters for each gap.
std::size_t letters_across(const Table& table) {
  std::vector<std::size_t> widths(columns_of(table), 0);
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    widths[i] = letters_in(table.headings[i]);
  for (const Cells& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], letters_in(row[i].text));
  }
  std::size_t sum = 0;
  for (const std::size_t width : widths)
    sum += width + 2;
  return sum;
}

// Splits a row with cells such as "99.0 ± 0.2" into two, with "99.0" above "± 0.2". A row without
// an interval stays one row.
std::vector<Cells> with_intervals_below(const Cells& row) {
  Cells above = row;
  Cells below = row;
  bool any = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    below[i].text.clear();
    const std::size_t at = row[i].text.find(kPlusMinus);
    if (i == 0 || at == std::string::npos) continue;  // the name of a row is not split
    below[i].text = row[i].text.substr(at + 1);
    above[i].text.resize(at);
    any = true;
  }
  if (!any) return {row};
  return {above, below};
}

std::string row_text(const Cells& row, std::size_t columns) {
  std::vector<std::string> texts;
  for (const TableCell& cell : row) {
    std::string text = tex_text(cell.text);
    if (cell.strong && !text.empty()) {
      const bool with_maths = text.find('$') != std::string::npos;
      const char* begin = with_maths ? "\\textbf{\\boldmath " : "\\textbf{";
      text = std::string(begin).append(text).append("}");
    }
    texts.push_back(std::move(text));
  }
  texts.resize(columns);
  return join(texts, " & ");
}

// The caption of a table, without a title such as "Table 1", since LaTeX numbers tables itself.
std::string caption(const Table& table) {
  std::string text = table.title + (table.subtitle.empty() ? "" : ": " + table.subtitle);
  if (table.title.text().starts_with("Table ") && !table.subtitle.empty()) text = table.subtitle;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string tabular(const Table& table, bool wide) {
  const std::size_t columns = columns_of(table);
  std::string text = std::string(wide ? kFitToLine : "") + "\\begin{tabular}{@{}l" +
                     std::string(columns > 0 ? columns - 1 : 0, 'r') + "@{}}\n    \\toprule\n    " +
                     join(heading_texts(table, tex_text), " & ") + " \\\\\n    \\midrule\n";
  const auto main_rows = static_cast<std::size_t>(std::max(table.main_rows, 0));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0 && i == main_rows) text += "    \\midrule\n";
    const std::vector<Cells> rows =
        wide ? with_intervals_below(table.rows[i]) : std::vector<Cells>{table.rows[i]};
    for (const Cells& row : rows) {
      text += "    ";
      text += row_text(row, columns);
      text += " \\\\\n";
    }
  }
  return text + "    \\bottomrule\n  \\end{tabular}" + (wide ? "}" : "") + "\n";
}

bool is_wide(const Table& table) {
  return letters_across(table) > kPageLetters;
}

std::string tex_table(const Table& table, const std::string& label) {
  const std::string environment = letters_across(table) > kColumnLetters ? "table*" : "table";
  std::string text = "\\begin{" + environment + "}\n  \\centering\n  \\caption{" +
                     tex_text(caption(table)) + ".}\n  \\label{" + label +
                     "}\n  \\smallskip\\footnotesize\n  \\setlength{\\tabcolsep}{" +
                     (is_wide(table) ? "2.5pt" : "4pt") + "}\n  " + tabular(table, is_wide(table));
  for (const std::string& note : table.notes) {
    text += "\n  \\smallskip ";
    text += tex_text(note);
    text += "\n";
  }
  return text + "\\end{" + environment + "}\n";
}

// --- Markdown ---

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

std::string figure_tex(const Figure& figure) {
  require_tables(figure);
  const bool fitted = std::ranges::any_of(figure.tables, is_wide);
  std::string text =
      fitted ? "% needs \\usepackage{booktabs,graphicx}\n" : "% needs \\usepackage{booktabs}\n";
  text += provenance_comments(figure.provenance, "% ", "", "\r\n");
  for (std::size_t i = 0; i < figure.tables.size(); ++i) {
    std::string label = "tab:" + figure.name;
    if (i > 0) label.append("-").append(std::to_string(i + 1));
    if (figure.tables[i].is_part) label += "-main";
    text += tex_table(figure.tables[i], label);
  }
  return text;
}

std::optional<Provenance> tex_provenance(std::string_view bytes) {
  return provenance_in_comments(bytes, "% ", "");
}

std::string figure_markdown(const Figure& figure) {
  require_tables(figure);
  std::string text = provenance_comments(figure.provenance, "<!-- ", " -->", "\r\n<>");
  for (const Table& table : figure.tables) {
    if (!text.empty()) text += "\n";
    text += markdown_table(table);
  }
  return text;
}

std::optional<Provenance> markdown_provenance(std::string_view bytes) {
  return provenance_in_comments(bytes, "<!-- ", " -->");
}

Figure with_main_rows(Figure figure) {
  for (Table& table : figure.tables)
    table = main_part(table);
  return figure;
}

}  // namespace dispersion

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/utf8.h"

namespace dispersion {
namespace {

// What has a meaning of its own in LaTeX, and letters and signs that its usual fonts lack.
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
  // One exponent of several signs, not one beside the other.
  constexpr std::string_view kBetween = "}$$^{";
  for (std::size_t at = 0; (at = result.find(kBetween, at)) != std::string::npos;)
    result.erase(at, kBetween.size());
  return result;
}

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("|\\*_`<").find(c) != std::string_view::npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

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

std::vector<std::string> row_texts(const std::vector<TableCell>& row, std::size_t columns,
                                   std::string (*escape)(std::string_view),
                                   std::string_view strong_begin, std::string_view strong_end) {
  std::vector<std::string> texts;
  for (const TableCell& cell : row) {
    std::string text = escape(cell.text);
    if (cell.strong && !text.empty())
      text = std::string(strong_begin).append(text).append(strong_end);
    texts.push_back(text);
  }
  texts.resize(columns);
  return texts;
}

std::vector<std::string> heading_texts(const Table& table,
                                       std::string (*escape)(std::string_view)) {
  std::vector<std::string> texts;
  for (const std::string& heading : table.headings)
    texts.push_back(escape(heading));
  texts.resize(columns_of(table));
  return texts;
}

// LaTeX numbers tables itself.
std::string caption(const Table& table) {
  if (table.title.starts_with("Table ") && !table.subtitle.empty()) return table.subtitle;
  return table.title + (table.subtitle.empty() ? "" : ": " + table.subtitle);
}

std::string tex_table(const Table& table) {
  const std::size_t columns = columns_of(table);
  std::string text = "\\begin{table}\n  \\centering\n  \\caption{" + tex_text(caption(table)) +
                     ".}\n  \\begin{tabular}{l" + std::string(columns > 0 ? columns - 1 : 0, 'r') +
                     "}\n    \\toprule\n    " + join(heading_texts(table, tex_text), " & ") +
                     " \\\\\n    \\midrule\n";
  for (const auto& row : table.rows) {
    text += "    ";
    text += join(row_texts(row, columns, tex_text, "\\textbf{", "}"), " & ");
    text += " \\\\\n";
  }
  text += "    \\bottomrule\n  \\end{tabular}\n";
  for (const std::string& note : table.notes) {
    text += "  \\par\\smallskip\\footnotesize ";
    text += tex_text(note);
    text += "\n";
  }
  return text + "\\end{table}\n";
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
    text += join(row_texts(row, columns, markdown_text, "**", "**"), " | ");
    text += " |\n";
  }
  for (const std::string& note : table.notes) {
    text += "\n";
    text += markdown_text(note);
    text += "\n";
  }
  return text;
}

void require_tables(const Figure& figure) {
  if (figure.tables.empty())
    throw std::invalid_argument("the figure '" + figure.name + "' has no table");
}

// A comment must not end early.
std::string without(std::string text, std::string_view forbidden) {
  std::erase_if(text, [&](char c) { return forbidden.find(c) != std::string_view::npos; });
  return text;
}

}  // namespace

std::string figure_tex(const Figure& figure) {
  require_tables(figure);
  std::string text = "% needs \\usepackage{booktabs}\n";
  for (const auto& [name, value] : figure.provenance) {
    text += "% ";
    text += without(name + ": " + value, "\r\n");
    text += "\n";
  }
  for (const Table& table : figure.tables)
    text += tex_table(table);
  return text;
}

std::string figure_markdown(const Figure& figure) {
  require_tables(figure);
  std::string text;
  for (const auto& [name, value] : figure.provenance) {
    text += "<!-- ";
    text += without(name + ": " + value, "\r\n<>");
    text += " -->\n";
  }
  for (const Table& table : figure.tables) {
    if (!text.empty()) text += "\n";
    text += markdown_table(table);
  }
  return text;
}

}  // namespace dispersion

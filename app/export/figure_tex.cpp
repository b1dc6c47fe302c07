#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/provenance.h"
#include "app/export/table_texts.h"
#include "app/export/utf8.h"

namespace dispersion {
namespace {

// Letters that a line holds: of \footnotesize in one of two columns of an article of 10 points
// (200 pt), and on a page of one column (345 pt). A wider table gets the page, in a still wider one
// intervals stand below their means, and what is left is made as narrow as the line.
constexpr std::size_t kOfColumn = 44;
constexpr std::size_t kOfPage = 80;

constexpr std::string_view kFitted =
    "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{";

constexpr std::string_view kPlusMinus = " ± ";

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

using Cells = std::vector<TableCell>;

std::size_t letters_in(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    take_character(text);
    ++count;
  }
  return count;
}

// Of the widest cells side by side, with two for every gap.
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

// "99.0 ± 0.2" in two rows, "99.0" and below it "± 0.2"; one row where there is none.
std::vector<Cells> with_intervals_below(const Cells& row) {
  Cells above = row;
  Cells below = row;
  bool any = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    below[i].text.clear();
    const std::size_t at = row[i].text.find(kPlusMinus);
    if (i == 0 || at == std::string::npos) continue;  // a row's name stays whole
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

// LaTeX numbers tables itself.
std::string caption(const Table& table) {
  std::string text = table.title + (table.subtitle.empty() ? "" : ": " + table.subtitle);
  if (table.title.starts_with("Table ") && !table.subtitle.empty()) text = table.subtitle;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string tabular(const Table& table, bool wide) {
  const std::size_t columns = columns_of(table);
  std::string text = std::string(wide ? kFitted : "") + "\\begin{tabular}{@{}l" +
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
  return letters_across(table) > kOfPage;
}

std::string tex_table(const Table& table, const std::string& label) {
  const std::string environment = letters_across(table) > kOfColumn ? "table*" : "table";
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

}  // namespace

std::string figure_tex(const Figure& figure) {
  require_tables(figure);
  const bool fitted = std::ranges::any_of(figure.tables, is_wide);
  std::string text =
      fitted ? "% needs \\usepackage{booktabs,graphicx}\n" : "% needs \\usepackage{booktabs}\n";
  for (const auto& [name, value] : figure.provenance) {
    text += "% ";
    text += comment_text(name, value, "\r\n");
    text += "\n";
  }
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

}  // namespace dispersion

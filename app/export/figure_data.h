#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/figure/figure.h"

namespace dispersion {

// Most bytes of the JSON of a figure, alone or inside another file, unpacked.
inline constexpr std::size_t kLargestFigureJson = std::size_t{1} << 28;

// The formats that hold the numbers of a figure for other programs. Numbers have '.' as their
// decimal point under every locale, and enough digits to be read back exactly; those that are not
// finite are an empty field, or null. X_provenance() reads the provenance of a file and returns
// nothing if the file has none or is cut off within it.

// One tidy table in CSV: the provenance in lines that begin with '#', a line of column names, then
// a line for every point, bar, cell of a heat map, sample of a field and cell of a table. Points
// that a plot leaves out have the text "not shown". Thin spaces become plain ones.
std::string figure_csv(const Figure& figure);
// Whether the bytes begin as such a file does, also after a spreadsheet has saved it.
bool is_figure_csv(std::string_view bytes);
// Of a file that a spreadsheet has saved too, which puts commas behind the comments and quotes
// around them. A value with quotes of its own, such as the recipe, may have lost some of them.
std::optional<Provenance> csv_provenance(std::string_view bytes);

// The whole figure as JSON, including ticks and labels. Numbers of items in the names of the rows
// and columns of tables get plain spaces; reading makes them thin again.
std::string figure_json(const Figure& figure);

// Reads a figure that figure_json() wrote, in this version or in 0.1.0; nothing if the bytes do not
// begin as such a file does. Numbers that were not finite become NaN. Throws FileError, which says
// at which place of `file` what was expected.
std::optional<Figure> read_figure_json(const std::filesystem::path& file, std::string_view bytes);
std::optional<Provenance> json_provenance(std::string_view bytes);

// The JSON of the figure that its picture files carry. It is empty if the provenance has a command,
// since that makes the figure again.
std::string carried_figure(const Figure& figure);

// The tables of the figure for a LaTeX document with the package booktabs (and graphicx, which a
// very wide table needs), and as pipe tables of Markdown. The provenance stands above them in
// comments. Throws std::invalid_argument if the figure has no table.
std::string figure_tex(const Figure& figure);
std::optional<Provenance> tex_provenance(std::string_view bytes);
std::string figure_markdown(const Figure& figure);
std::optional<Provenance> markdown_provenance(std::string_view bytes);

// The figure with each table cut to its main rows.
Figure with_main_rows(Figure figure);

}  // namespace dispersion

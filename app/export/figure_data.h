#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/figure/figure.h"

namespace dispersion {

// The numbers of a figure for other programs, with '.' under every locale and as many digits as
// bring every number back. What is not finite is an empty field, or null. X_provenance() reads back
// out of a file where the figure came from: nothing where it does not say so, or is cut before.

// One tidy table: the provenance in lines that begin with '#', a line of names, then a line for
// every point, bar, cell of a heat map, sample of a field and cell of a table. Points that a plot
// leaves out have the text "not shown". Spaces are plain, where the figure has thin ones.
std::string figure_csv(const Figure& figure);
std::optional<Provenance> csv_provenance(std::string_view bytes);

// The whole figure, its ticks and labels too. Only the names of a table's rows and columns are
// plain, which the reader makes thin again.
std::string figure_json(const Figure& figure);

// The figure that figure_json() wrote into this file, also that of version 0.1.0; nothing where the
// bytes are another file's, which do not begin with a figure's name. Numbers that were not finite
// are NaN. Throws FileError that names the place and what is expected there.
std::optional<Figure> read_figure_json(const std::filesystem::path& file, std::string_view bytes);
std::optional<Provenance> json_provenance(std::string_view bytes);

// The figure as JSON, for a picture to carry. Empty when its provenance tells the command that
// makes it again.
std::string carried_figure(const Figure& figure);

// The figure's tables, for a LaTeX document with the package booktabs (and graphicx, which makes a
// very wide one fit), and for Markdown (pipe tables). The provenance stands above them as comments.
// Throws std::invalid_argument when the figure has no table.
std::string figure_tex(const Figure& figure);
std::optional<Provenance> tex_provenance(std::string_view bytes);
std::string figure_markdown(const Figure& figure);
std::optional<Provenance> markdown_provenance(std::string_view bytes);

}  // namespace dispersion

#pragma once

#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// The numbers of a figure for other programs, with '.' under every locale and as many digits as
// bring every number back. What is not finite is an empty field, or null.

// One tidy table: the provenance in lines that begin with '#', a line of names, then a line for
// every point, bar, cell of a heat map, sample of a field and cell of a table. Points that a plot
// leaves out have the text "not shown". Spaces are plain, where the figure has thin ones.
std::string figure_csv(const Figure& figure);

// The whole figure, its ticks and labels too. Only the names of a table's rows and columns are
// plain, which the reader makes thin again.
std::string figure_json(const Figure& figure);

// The figure's tables, for a LaTeX document with the package booktabs (and graphicx, which makes a
// very wide one fit), and for Markdown (pipe tables). The provenance stands above them as comments.
// Throws std::invalid_argument when the figure has no table.
std::string figure_tex(const Figure& figure);
std::string figure_markdown(const Figure& figure);

}  // namespace dispersion

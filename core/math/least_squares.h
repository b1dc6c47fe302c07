#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace dispersion {

using Column = std::vector<long double>;  // [rows]

// The sum over the rows from `first` on of a[row] b[row], added in order. Both have as many rows.
long double dot(const Column& a, const Column& b, std::size_t first = 0);

// The weights that make sum_k weights[k] columns[k] come nearest to `target` (least squares), by
// Householder reflections with column pivoting in extended precision (Golub and Van Loan, Matrix
// Computations, 5.4.2). No answer where a column lies in the span of the others: what is left of it
// is shorter than `smallest_pivot` times the longest column. All columns and the target have the
// same number of rows, at least as many as there are columns. A few columns of thousands of rows is
// what it is written for; a library's decomposition of extended precision takes ten seconds to
// compile.
std::optional<std::vector<long double>> least_squares(std::vector<Column> columns, Column target,
                                                      long double smallest_pivot);

}  // namespace dispersion

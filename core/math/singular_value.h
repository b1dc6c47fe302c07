#pragma once

#include <span>

namespace dispersion {

// The largest singular value of a row-major matrix, [rows, columns]; NaN where an entry is not
// finite. Relative error below rows * 2^-50 or so: the square root of the largest eigenvalue of
// A^T A, made tridiagonal by Householder reflections and found by bisection (Golub and Van Loan,
// Matrix Computations, 8.3.1 and 8.4.1). A whole decomposition would compute 127 further values
// that nobody asks for.
double largest_singular_value(std::span<const double> matrix, int rows, int columns);

}  // namespace dispersion

#pragma once

#include <string_view>

namespace dispersion {

enum class Transpose { kNo, kYes };

// Whether the product replaces C or is added to it.
enum class Into { kReplace, kAdd };

// C [m, n] (+)= op(A) [m, k] op(B) [k, n]; everything dense and row-major, so A is stored as [m,
// k], or as [k, m] when transposed, and B likewise. Runs on the calling thread alone, in an order
// that depends on the shape and the instruction set only.
void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const float* a,
              const float* b, Into into, float* c);
void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const double* a,
              const double* b, Into into, double* c);

// Which library multiplies floats, with its version: "oneDNN 2.6.3" or "Eigen 3.4.0".
std::string_view product_library();

}  // namespace dispersion

#pragma once

#include <string_view>

namespace dispersion {

enum class Transpose { kNo, kYes };

// Whether a product replaces the matrix C or is added to it.
enum class Into { kReplace, kAdd };

// Matrix product C = op(A) op(B) or C += op(A) op(B), with shapes [m, n], [m, k] and [k, n]. All
// matrices are dense and row-major: A is stored as [m, k], or as [k, m] when it is transposed, and
// B likewise. Runs on the calling thread only, and sums in an order that depends only on the shapes
// and the instruction set.
void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const float* a,
              const float* b, Into into, float* c);
void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const double* a,
              const double* b, Into into, double* c);

// The library that multiplies floats, with its version: "oneDNN 2.6.3" or "Eigen 3.4.0".
std::string_view product_library();

// The instruction set by which that library multiplies in this process, on which the last bits of a
// product depend: "AVX2" or "AVX-512", say. It can be another than that of the program, since
// oneDNN goes by the processor and by ONEDNN_MAX_CPU_ISA.
std::string_view product_instruction_set();

}  // namespace dispersion

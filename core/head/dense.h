#pragma once

#include <cstddef>
#include <span>

#include "core/head/parameters.h"
#include "core/math/eigen_views.h"
#include "core/math/product.h"

namespace dispersion {

// sums[j] = sum over rows of values[row, j], row after row. (Eigen's reductions are not used on
// memory whose alignment may change: they begin at the first aligned element, so their order would
// change with it.)
template <class Scalar>
void column_sums(const Scalar* values, int rows, int columns, Scalar* sums) {
  for (int j = 0; j < columns; ++j)
    sums[j] = Scalar(0);
  for (int r = 0; r < rows; ++r) {
    const Scalar* row = values + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
    for (int j = 0; j < columns; ++j)
      sums[j] += row[j];
  }
}

// output = input kernel + bias. input [rows, inputs], kernel [inputs, outputs], bias [outputs],
// output [rows, outputs].
template <class Scalar>
void dense(const Scalar* input, int rows, std::span<const Scalar> kernel,
           std::span<const Scalar> bias, Scalar* output) {
  const int outputs = static_cast<int>(bias.size());
  const int inputs = static_cast<int>(kernel.size()) / outputs;
  MatrixView<Scalar> out(output, rows, outputs);
  out.rowwise() = ConstVectorView<Scalar>(bias.data(), outputs).transpose();
  multiply(Transpose::kNo, Transpose::kNo, rows, outputs, inputs, input, kernel.data(), Into::kAdd,
           output);
}

// Gradients of dense(): kernel_gradient and bias_gradient are replaced; input_gradient too, unless
// null.
template <class Scalar>
void dense_backward(const Scalar* input, const Scalar* output_gradient, int rows,
                    std::span<const Scalar> kernel, std::span<Scalar> kernel_gradient,
                    std::span<Scalar> bias_gradient, Scalar* input_gradient) {
  const int outputs = static_cast<int>(bias_gradient.size());
  const int inputs = static_cast<int>(kernel.size()) / outputs;
  multiply(Transpose::kYes, Transpose::kNo, inputs, outputs, rows, input, output_gradient,
           Into::kReplace, kernel_gradient.data());
  column_sums(output_gradient, rows, outputs, bias_gradient.data());
  if (input_gradient != nullptr) {
    multiply(Transpose::kNo, Transpose::kYes, rows, inputs, outputs, output_gradient, kernel.data(),
             Into::kReplace, input_gradient);
  }
}

}  // namespace dispersion

#include "core/head/optimiser.h"

namespace dispersion {

L2Terms l2_terms(const Recipe& recipe, bool is_kernel) {
  const double lambda = recipe.l2_lambda;
  switch (recipe.l2) {
    case L2Form::kHalfKernels:
      return is_kernel ? L2Terms{lambda / 2, lambda, 0} : L2Terms{};
    case L2Form::kHalfAll:
      return {lambda / 2, lambda, 0};
    case L2Form::kFullKernels:
      return is_kernel ? L2Terms{lambda, 2 * lambda, 0} : L2Terms{};
    case L2Form::kFullAll:
      return {lambda, 2 * lambda, 0};
    case L2Form::kDecoupled:
      return {0, 0, lambda};
    case L2Form::kNone:
      return {};
  }
  return {};
}

template <class Scalar>
double l2_loss(const Recipe& recipe, const Parameters<Scalar>& head) {
  double loss = 0;
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    const double factor = l2_terms(recipe, slot.is_kernel).loss;
    if (factor == 0) continue;
    double squares = 0;
    for (const Scalar w : std::span(head.values).subspan(slot.offset, slot.size())) {
      squares += static_cast<double>(w) * static_cast<double>(w);
    }
    loss += factor * squares;
  }
  return loss;
}

template <class Scalar>
void add_l2_gradient(const Recipe& recipe, const Parameters<Scalar>& head,
                     Parameters<Scalar>& gradient) {
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    const Scalar factor = static_cast<Scalar>(l2_terms(recipe, slot.is_kernel).gradient);
    if (factor == 0) continue;
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
      gradient.values[i] += factor * head.values[i];
    }
  }
}

template double l2_loss(const Recipe&, const Parameters<float>&);
template double l2_loss(const Recipe&, const Parameters<double>&);
template void add_l2_gradient(const Recipe&, const Parameters<float>&, Parameters<float>&);
template void add_l2_gradient(const Recipe&, const Parameters<double>&, Parameters<double>&);

}  // namespace dispersion

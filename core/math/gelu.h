#pragma once

#include <cstddef>

namespace dispersion {

// GELU in the tanh form, which is what flax.linen.gelu computes:
// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)).

// values[i] = gelu(values[i]); slopes[i] = gelu'(values[i] before), unless slopes is null.
template <class Scalar>
void gelu_in_place(Scalar* values, Scalar* slopes, std::size_t count);

}  // namespace dispersion

#pragma once

#include "core/head/parameters.h"
#include "core/head/recipe.h"

namespace dispersion {

// What an L2 form does to one tensor.
struct L2Terms {
  double loss = 0;      // the loss gains loss * sum w^2
  double gradient = 0;  // the gradient gains gradient * w (= 2 loss w)
  double decay = 0;     // the update gains -learning_rate * decay * w
};

L2Terms l2_terms(const Recipe& recipe, bool is_kernel);

// The L2 term of the loss, summed tensor by tensor in double.
template <class Scalar>
double l2_loss(const Recipe& recipe, const Parameters<Scalar>& head);

// gradient += d l2_loss / d parameters.
template <class Scalar>
void add_l2_gradient(const Recipe& recipe, const Parameters<Scalar>& head,
                     Parameters<Scalar>& gradient);

}  // namespace dispersion

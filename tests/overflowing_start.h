#pragma once

#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// A run at step 10 whose step 13 overflows after a finite loss and gradient. Kernels of 0 keep both
// finite. The second moment of one bias falls from 1e38 over 1e8 and 1e-22 to 0, and in that third
// step its first moment is divided by Adam's epsilon alone.
inline constexpr int kOverflowingStep = 13;

inline TrainingState overflowing_start() {
  TrainingState start = start_training_from(Parameters<float>(HeadShape()), 1);
  start.step = 10;
  start.first_moment.tensor(TensorId::kOutBias)[3] = 1e20f;
  start.second_moment.tensor(TensorId::kOutBias)[3] = 1e38f;
  return start;
}

inline Recipe overflowing_recipe(Recipe recipe) {
  recipe.path = HeadPath::kDirect;
  recipe.l2 = L2Form::kNone;
  recipe.learning_rate = 1e-14;
  recipe.adam_beta2 = 1e-30;
  recipe.adam_epsilon = 1e-37;
  return recipe;
}

}  // namespace dispersion

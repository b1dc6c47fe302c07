#pragma once

#include <vector>

#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// `count` heads of those that come with the program, to be trained on: the first whose path is
// really this one. One that got too sharp for the points of a training step takes the direct path
// whatever is asked for, and the next takes its place; when there are no more, they begin anew.
std::vector<TrainingState> shipped_heads(int count, HeadPath path);

}  // namespace dispersion

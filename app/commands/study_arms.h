#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/head/recipe.h"

namespace dispersion {

// One arm of the study behind docs/table1.md: heads trained by one recipe and how they are
// evaluated.
struct StudyArm {
  std::string name;         // of its folder and its result file
  std::string heads;        // the arm whose heads it evaluates; its own name: it trains them
  std::string description;  // in words
  Recipe recipe;            // of the training
  int seeds = 10;
  Precision evaluation = Precision::kFloat;
  std::int64_t steps = 0;  // of the training; 0: as many as asked for
};

// Default recipe and bf16 with ten seeds, controls with three, and both paths of the default recipe
// with ten seeds for a fifth of the steps.
const std::vector<StudyArm>& study_arms();

// Throws std::invalid_argument that lists the names.
const StudyArm& study_arm(std::string_view name);

}  // namespace dispersion

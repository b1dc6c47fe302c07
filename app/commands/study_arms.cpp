#include "app/commands/study_arms.h"

#include <stdexcept>

namespace dispersion {
namespace {

constexpr int kPaperSeeds = 10;
constexpr int kControlSeeds = 3;
constexpr std::int64_t kShortSteps = 20'000;

Recipe with_l2(L2Form form) {
  Recipe recipe;
  recipe.l2 = form;
  return recipe;
}

Recipe in_precision(Precision precision) {
  Recipe recipe;
  recipe.precision = precision;
  recipe.path = HeadPath::kDirect;
  return recipe;
}

Recipe on_direct_path() {
  Recipe recipe;
  recipe.path = HeadPath::kDirect;
  return recipe;
}

std::vector<StudyArm> make_arms() {
  return {
      {"default", "default", "default recipe: L2 on kernels, fp32", Recipe(), kPaperSeeds,
       Precision::kFloat},
      {"bf16", "bf16", "trained and evaluated in bf16", in_precision(Precision::kBf16), kPaperSeeds,
       Precision::kBf16},
      {"default-in-bf16", "default", "trained in fp32, evaluated in bf16", Recipe(), kPaperSeeds,
       Precision::kBf16},
      {"default-in-bf16-priorities", "default", "trained in fp32, priorities rounded to bf16",
       Recipe(), kPaperSeeds, Precision::kBf16Priorities},
      {"bf16-in-fp32", "bf16", "trained in bf16, evaluated in fp32", in_precision(Precision::kBf16),
       kPaperSeeds, Precision::kFloat},
      {"half-all", "half-all", "L2 on all parameters, biases too", with_l2(L2Form::kHalfAll),
       kControlSeeds, Precision::kFloat},
      {"full-all", "full-all", "L2 on all parameters, gradient 2 lambda w",
       with_l2(L2Form::kFullAll), kControlSeeds, Precision::kFloat},
      {"decoupled", "decoupled", "decoupled weight decay (AdamW)", with_l2(L2Form::kDecoupled),
       kControlSeeds, Precision::kFloat},
      {"none", "none", "no L2", with_l2(L2Form::kNone), kControlSeeds, Precision::kFloat},
      {"spectral-20k", "spectral-20k", "default recipe, a fifth of the steps, spectral path",
       Recipe(), kPaperSeeds, Precision::kFloat, kShortSteps},
      {"direct-20k", "direct-20k", "default recipe, a fifth of the steps, direct path",
       on_direct_path(), kPaperSeeds, Precision::kFloat, kShortSteps},
  };
}

}  // namespace

const std::vector<StudyArm>& study_arms() {
  static const std::vector<StudyArm> kArms = make_arms();
  return kArms;
}

const StudyArm& study_arm(std::string_view name) {
  std::string known;
  for (const StudyArm& arm : study_arms()) {
    if (arm.name == name) return arm;
    known += (known.empty() ? "" : ", ") + arm.name;
  }
  throw std::invalid_argument("arm \"" + std::string(name) + "\" is none of " + known);
}

}  // namespace dispersion

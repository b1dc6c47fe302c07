#include "app/desk/studies.h"

namespace dispersion {

std::vector<View> study_views() {
  return {View::kAttention};
}

StudyPlan plan_study(View, const Desk&) {
  return {};
}

}  // namespace dispersion

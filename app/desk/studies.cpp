#include "app/desk/studies.h"

#include <string>

#include "app/desk/desk.h"

namespace dispersion {

std::vector<View> study_views() {
  return {View::kAttention, View::kTable, View::kFit,       View::kSurfaces, View::kBounds,
          View::kSpread,    View::kDepth, View::kStreaming, View::kPrecision};
}

StudyPlan plan_study(View view, const Desk& desk) {
  switch (view) {
    case View::kTable:
      return plan_table(desk);
    case View::kFit:
      return plan_fit(desk);
    case View::kSurfaces:
      return plan_surfaces(desk);
    case View::kBounds:
      return plan_bounds(desk);
    case View::kSpread:
      return plan_spread(desk);
    case View::kDepth:
      return plan_depth(desk);
    case View::kStreaming:
      return plan_streaming(desk);
    case View::kPrecision:
      return plan_precision(desk);
    case View::kAttention:
      break;
  }
  return {};
}

std::string study_key(std::string_view name, std::initializer_list<double> values) {
  std::string key(name);
  for (const double value : values)
    key.append(" ").append(std::to_string(value));
  return key;
}

std::string stored_text(const std::string& commit, const std::string& backend) {
  return "computed before, by commit " + commit + ", " + backend;
}

Provenance open_head_provenance(const Desk& desk) {
  return {{"head", desk.status.origin},
          {"seed", std::to_string(desk.status.seed)},
          {"step", std::to_string(desk.head.state ? desk.head.state->step : 0)}};
}

}  // namespace dispersion

#include "app/session/studies.h"

#include <string>

#include "app/session/app_state.h"

namespace dispersion {

std::vector<View> study_views() {
  return {View::kAttention, View::kTable, View::kFit,       View::kSurfaces, View::kBounds,
          View::kSpread,    View::kDepth, View::kStreaming, View::kPrecision};
}

StudyPlan plan_study(View view, const AppState& app) {
  switch (view) {
    case View::kTable:
      return plan_table(app);
    case View::kFit:
      return plan_fit(app);
    case View::kSurfaces:
      return plan_surfaces(app);
    case View::kBounds:
      return plan_bounds(app);
    case View::kSpread:
      return plan_spread(app);
    case View::kDepth:
      return plan_depth(app);
    case View::kStreaming:
      return plan_streaming(app);
    case View::kPrecision:
      return plan_precision(app);
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

Provenance open_head_provenance(const AppState& app) {
  return {{"head", app.status.head_source},
          {"seed", std::to_string(app.status.seed)},
          {"step", std::to_string(app.head.state ? app.head.state->step : 0)}};
}

}  // namespace dispersion

#include <memory>
#include <string>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/attention/rule_shape.h"
#include "core/figure/fit_figure.h"

namespace dispersion {
namespace {

StudyResult fit_head(const TrainingState& state, const FitSettings& settings,
                     const Provenance& provenance, Backend& backend, StudyProgress& progress) {
  FitRun run = start_fit(settings);
  while (advance_fit(run, state.parameters, backend)) {
    if (!progress.keep_going(share_done(run))) break;
  }
  StudyResult result;
  result.figure = fit_figure(run);
  result.figure.provenance = provenance;
  const TemperatureFit fit = pooled_fit(run);
  if (fit.fit) {
    result.rule = rule_from(*fit.fit);
    result.guarded_rule = guarded_rule(*result.rule);
  }
  return result;
}

}  // namespace

StudyPlan plan_fit(const AppState& app) {
  StudyPlan plan;
  FitSettings settings;
  settings.sets = app.study_settings.fit.sets;
  settings.seed = app.study_settings.fit.seed;
  plan.key = study_key("fit", {static_cast<double>(settings.sets), 1.0 * settings.seed});
  plan.head = app.head.version;
  const auto state = app.head.state;
  if (!state) return plan;
  Provenance provenance = open_head_provenance(app);
  provenance.push_back({"sets", std::to_string(settings.sets) + " of every size, seed " +
                                    std::to_string(settings.seed)});
  plan.job = [state, settings, provenance](StudyTools& tools, StudyProgress& progress) {
    return fit_head(*state, settings, provenance, tools.backend(), progress);
  };
  return plan;
}

}  // namespace dispersion

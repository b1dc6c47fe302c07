#include "app/session/experiment_request.h"

#include <string>
#include <utility>

#include "app/session/app_state.h"

namespace dispersion {
namespace {

// The window's own temperature is that of every experiment that has one.
SettingValues values_of(View view, const AppState& app) {
  SettingValues values = app.experiment_settings.of(view);
  for (const Setting& setting : experiment_in(view).settings) {
    if (setting.of_view) values.set(setting.name, app.view.theta);
  }
  return values;
}

bool takes_open_head(const Experiment& experiment, const SettingValues& values) {
  return experiment.takes_head(values) && experiment.heads != HeadUse::kAll;
}

// What a run before with these settings left behind.
std::shared_ptr<std::any> unfinished_of(UnfinishedRuns& runs, std::string_view name,
                                        const std::string& settings) {
  UnfinishedRun& kept = runs[name];
  if (!kept.run || kept.settings != settings) kept = {settings, std::make_shared<std::any>()};
  return kept.run;
}

}  // namespace

ExperimentSettings::ExperimentSettings() {
  values_.emplace_back();  // the attention view has settings of its own
  for (const Experiment& experiment : experiments())
    values_.emplace_back(experiment.settings, SettingUse::kPicture);
}

ExperimentRequest make_request(View view, const AppState& app) {
  const Experiment& experiment = experiment_in(view);
  const SettingValues values = values_of(view, app);
  const bool of_head = takes_open_head(experiment, values);
  ExperimentRequest request;
  request.key = values.text();
  if (experiment.of_backend) request.key.append(" ").append(backend_name(app.status.computing));
  if (of_head) request.head = app.head.version;
  const bool of_shipped = experiment.heads == HeadUse::kAll || experiment.histories;
  if ((of_shipped && !app.shipped) || (of_head && !app.head.state)) return request;
  const ExperimentHead open = {app.status.head_source, app.status.recipe, app.head.state};
  request.job = [&experiment, values, of_head, open, shipped = app.shipped,
                 unfinished = app.unfinished, settings = request.key](
                    ExperimentBackends& backends, ExperimentProgress& progress) {
    ExperimentInputs inputs;
    if (experiment.heads == HeadUse::kAll) inputs.heads = shipped->heads;
    if (experiment.histories) inputs.histories = shipped->histories;
    if (of_head) inputs.heads = {open};
    if (shipped) inputs.stored = shipped->stored;
    if (unfinished) inputs.unfinished = unfinished_of(*unfinished, experiment.name, settings);
    return run_experiment(experiment, values, inputs, backends, progress);
  };
  return request;
}

}  // namespace dispersion

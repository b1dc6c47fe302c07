#include "app/commands/figure_catalogue.h"

#include <stdexcept>
#include <utility>

#include "app/commands/command_inputs.h"
#include "app/commands/text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

ExperimentInputs inputs_of(const Experiment& experiment, const FigureSources& sources) {
  ShippedData shipped = shipped_data();
  ExperimentInputs inputs;
  const bool all = experiment.heads == HeadUse::kAll;
  if (all) inputs.heads = std::move(shipped.heads);
  if (!all) inputs.heads = {experiment_head(sources.head)};
  inputs.histories = sources.histories.empty() ? std::move(shipped.histories) : sources.histories;
  if (!sources.recompute) inputs.stored = std::move(shipped.stored);
  return inputs;
}

SettingValues values_of(const Experiment& experiment, const FigureSources& sources) {
  SettingValues values(experiment.settings, SettingUse::kPicture);
  if (sources.sets > 0 && experiment.figure_of_sets()) values.set("sets", sources.sets);
  if (!sources.transforms.empty() && experiment.takes_transforms())
    values.set_transforms(sources.transforms);
  // Timings would differ from run to run, but the same command must give the same bytes.
  if (values.has("untimed")) values.set("untimed", 1);
  return values;
}

}  // namespace

bool figure_of_heads(const Experiment& experiment) {
  return experiment.histories ||
         (experiment.heads != HeadUse::kNone && experiment.heads != HeadUse::kByChoice);
}

bool figure_of_all_seeds(const Experiment& experiment) {
  return experiment.heads == HeadUse::kAll ||
         (experiment.histories && experiment.heads == HeadUse::kNone);
}

bool figure_of_shipped_heads(const Experiment& experiment) {
  return experiment.heads == HeadUse::kAll;
}

const Experiment& figure_named(std::string_view name) {
  if (const Experiment* experiment = find_experiment(name)) return *experiment;
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments())
    names.emplace_back(experiment.name);
  throw std::invalid_argument("no figure " + in_quotes(name) + did_you_mean(name, names) +
                              "; there are " + joined(names, ", "));
}

std::string figures_with(const std::function<bool(const Experiment&)>& property) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (property(experiment)) names.emplace_back(experiment.name);
  }
  return joined(names, ", ");
}

void require_table(const Experiment& experiment) {
  if (experiment.figure_has_table) return;
  throw std::invalid_argument(
      "the figure '" + std::string(experiment.name) + "' has no table; those with one are " +
      figures_with([](const Experiment& other) { return other.figure_has_table; }));
}

Figure make_figure(const Experiment& experiment, const FigureSources& sources,
                   ExperimentBackends& backends, const Progress& keep_going) {
  return run_experiment(experiment, values_of(experiment, sources), inputs_of(experiment, sources),
                        backends, keep_going)
      .figure;
}

}  // namespace dispersion

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command_inputs.h"
#include "core/experiment/experiment.h"
#include "core/progress.h"

namespace dispersion {

// The figures that have a name. Each is the figure of an experiment.

// What a figure is computed from.
struct FigureSources {
  HeadSource head;
  std::vector<History> histories;  // empty: those of the shipped heads
  int sets = 0;                    // sets of every size; 0: the default of the figure
  std::vector<AttentionTransform> transforms = {};  // empty: the default of the figure
  bool recompute = false;  // computes again what is stored inside the program
};

// Whether the figure is computed from heads or from their training histories.
bool figure_of_heads(const Experiment& experiment);
// Whether it shows all shipped heads or histories together, and not one of them.
bool figure_of_all_seeds(const Experiment& experiment);
// Whether it is computed from all the shipped heads themselves.
bool figure_of_shipped_heads(const Experiment& experiment);

// The experiment whose figure has this name, or had it in version 0.1.0. Throws
// std::invalid_argument, which suggests the nearest name, if there is none.
const Experiment& figure_named(std::string_view name);

// The names of the figures that have a property: "table, precision".
std::string figures_with(const std::function<bool(const Experiment&)>& property);

// Throws std::invalid_argument, which names the figures that have a table, if this one has none.
void require_table(const Experiment& experiment);

// Computes a figure. It has the name of the experiment, and its provenance holds what the
// experiment adds. If `keep_going` stopped it, the figure is incomplete.
Figure make_figure(const Experiment& experiment, const FigureSources& sources,
                   ExperimentBackends& backends, const Progress& keep_going);

}  // namespace dispersion

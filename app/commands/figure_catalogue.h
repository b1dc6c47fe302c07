#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/head_source.h"
#include "core/experiment/experiment.h"
#include "core/progress.h"

namespace dispersion {

// The figures that can be had by name: those of the experiments.

// What figures are made of.
struct FigureSources {
  HeadSource head;
  std::vector<History> histories;  // empty: those of the shipped heads
  int sets = 0;                    // of every size; 0: as many as the figure takes by itself
  std::vector<AttentionTransform> transforms = {};  // empty: those that the figure has by itself
  bool recompute = false;                           // even what the program brings along
};

// What a figure is made of: a head or training histories; all shipped heads or histories, not one;
// the shipped heads themselves.
bool figure_of_heads(const Experiment& experiment);
bool figure_of_all_seeds(const Experiment& experiment);
bool figure_of_shipped_heads(const Experiment& experiment);

// The experiment whose figure has this name, or had it in version 0.1.0. Throws
// std::invalid_argument, with the nearest name, when there is none.
const Experiment& figure_named(std::string_view name);

// "table, precision": the figures that have a property, in order.
std::string figures_with(const std::function<bool(const Experiment&)>& property);

// Throws std::invalid_argument, with the figures that have one, when the figure has no table.
void require_table(const Experiment& experiment);

// Computes a figure; its name is the experiment's, its provenance says what went into it beside the
// build. What comes when it was stopped is not whole.
Figure make_figure(const Experiment& experiment, const FigureSources& sources,
                   ExperimentBackends& backends, const Progress& keep_going);

}  // namespace dispersion

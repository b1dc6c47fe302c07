#pragma once

#include <string>

#include "app/commands/provenance.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// The result of an experiment as text, JSON or CSV. All three are made from its tables.

// What a result was computed from.
struct ExperimentRun {
  const Experiment& experiment;
  const SettingValues& values;
  const ExperimentInputs& inputs;
  std::string backend;    // as it describes itself
  double share_done = 1;  // below 1: it was interrupted
};

// One object: "command", the heads, the settings, how the program was built, the facts, every table
// by its key, and "sentences". What does not exist is null.
Json result_json(const ExperimentRun& run, const ExperimentResult& result);

// The first table that has rows, with all of its key; a line of names, then a line for each row.
// What does not exist is empty.
std::string result_csv(const ExperimentResult& result);

// For people.
std::string result_text(const ExperimentRun& run, const ExperimentResult& result);

// One row of a table as an object, without the columns that are for people alone.
Json row_json(const ResultTable& table, std::size_t row);

}  // namespace dispersion

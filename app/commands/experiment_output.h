#pragma once

#include <string>

#include "app/commands/output.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// The result of an experiment as text, JSON and CSV, which are all made from its tables.

// What a result was computed from.
struct ExperimentRun {
  const Experiment& experiment;
  const SettingValues& values;
  const ExperimentInputs& inputs;
  std::string backend;    // the description of the backend
  double share_done = 1;  // below 1 if the experiment was interrupted
};

// One object with "command", the heads, the settings, the build, the facts, each table under its
// key, and "sentences". Missing values are null.
Json result_json(const ExperimentRun& run, const ExperimentResult& result);

// The first table that has rows, together with the other tables of its key: a line of column names,
// then a line for each row. Missing values are empty.
std::string result_csv(const ExperimentResult& result);

// The result as text for people.
std::string result_text(const ExperimentRun& run, const ExperimentResult& result);

// One row of a table as an object, without the columns that only the text shows.
Json row_json(const ResultTable& table, std::size_t row);

}  // namespace dispersion

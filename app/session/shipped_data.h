#pragma once

#include <any>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace dispersion {

// The data inside the program that experiments use.
struct ShippedData {
  std::vector<ExperimentHead> heads;
  std::vector<History> histories;  // of the training of these heads
  StoredResults stored;            // of these heads
};

// What stopped experiments have kept to go on from (ExperimentInputs::unfinished), by the name of
// the experiment, and the settings that it belongs to. Only jobs use it, which run one at a time.
struct UnfinishedRun {
  std::string settings;
  std::shared_ptr<std::any> run;
};
using UnfinishedRuns = std::map<std::string_view, UnfinishedRun>;

}  // namespace dispersion

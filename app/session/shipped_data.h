#pragma once

#include <any>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace dispersion {

// What the program brings along for experiments.
struct ShippedData {
  std::vector<ExperimentHead> heads;
  std::vector<History> histories;  // of their training
  StoredResults stored;            // of these heads
};

// What experiments leave behind that were stopped, to go on from it: by the experiment's name, of
// the settings it was begun with. Touched by jobs only, which run one at a time.
struct UnfinishedRun {
  std::string settings;
  std::shared_ptr<std::any> run;
};
using UnfinishedRuns = std::map<std::string_view, UnfinishedRun>;

}  // namespace dispersion

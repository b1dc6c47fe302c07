#pragma once

#include <string>

#include "app/commands/head_source.h"
#include "app/commands/provenance.h"
#include "core/experiment/temperature_fit.h"

namespace dispersion {

struct FitOutput {
  HeadSource head;
  FitRun run;
  bool per_size = false;
};

// One object: "command", the head, the pooled fit, the paper's coefficients, and with per_size
// "sizes", an array of fits. A number that does not exist is null, and "reason" says why.
Json fit_json(const FitOutput& output, const Backend& backend);

// The scatter: n, entropy, theta_opt, inverse_theta, one line per sample.
std::string fit_csv(const FitRun& run);

std::string fit_text(const FitOutput& output);

}  // namespace dispersion

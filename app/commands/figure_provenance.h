#pragma once

#include <string>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// The provenance that `figure` and `animate` write into their files: the build; the head, if the
// figure shows one; the entries `of_experiment`, which the experiment adds; the hashes of the heads
// or histories that it was made from; the backend; the command that makes the figure again in this
// format; and a date if there is one.
Provenance full_provenance(const Experiment& experiment, const FigureOptions& options,
                           const FigureFormat& format, const FigureSources& sources,
                           const Backend& backend, const Provenance& of_experiment);

// The date that is written into files: the one of the option --date, or that of SOURCE_DATE_EPOCH,
// or none. Its form is "2026-01-31" or "2026-01-31T12:00:00Z". Throws UsageError.
std::string figure_date(const std::string& request);

}  // namespace dispersion

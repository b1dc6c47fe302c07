#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// Throws FileError when one of the files exists, unless it may be replaced; the message names the
// first and counts the others.
void require_free(std::span<const std::filesystem::path> files, bool may_replace);
void require_free(const std::filesystem::path& file, bool may_replace);

// The provenance of every figure file: program, version and commit; the head with its recipe, seed,
// step and run hash, where the figure is of one head; what the experiment adds; the backend; the
// command that makes the figure again in that format; and a date only if there is one.
Provenance full_provenance(const Experiment& experiment, const FigureOptions& options,
                           const FigureFormat& format, const FigureSources& sources,
                           const Backend& backend, const Provenance& of_experiment);

// The date that is written into files: that of --date, else of the environment's SOURCE_DATE_EPOCH
// (seconds since 1970, UTC), else none. "2026-01-31" or "2026-01-31T12:00:00Z". Throws UsageError.
std::string figure_date(const std::string& request);

}  // namespace dispersion

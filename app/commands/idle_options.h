#pragma once

#include <CLI/CLI.hpp>

#include "app/commands/figure_options.h"

namespace dispersion {

// Refuses options on the line that change nothing in a file of this format: how a figure looks, for
// one that holds numbers; pixels per inch, for one that has none. Throws UsageError.
void refuse_idle_options(const CLI::App& line, const FigureOptions& options, FigureFormat format);

}  // namespace dispersion

#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// Refuses options on the line that change nothing in a file of this format: how a figure looks, for
// one that holds numbers; pixels per inch, for one that has none. Throws UsageError.
void refuse_unused_options(const CLI::App& line, const FigureOptions& options, FigureFormat format);

// Refuses options on the line that say what a figure is made of, and which this one is not made of.
// Throws UsageError.
void refuse_unused_sources(const CLI::App& line, const CatalogueEntry& entry);

// Whether a figure has what options of the style are about.
struct FigureTraits {
  std::string name;  // as in the catalogue
  bool field;        // that can be a surface
  bool parts;        // a table that can be cut to its main rows
};

// Refuses options on the line about what the figure does not have. Throws UsageError.
void refuse_unused_draw_options(const CLI::App& line, const FigureTraits& figure);

// Refuses a flag and its opposite on the line together. Throws UsageError.
void refuse_opposites(const CLI::App& line);

}  // namespace dispersion

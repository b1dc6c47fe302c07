#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// How to make a figure again that is in a file.
struct Rebuild {
  FigureOptions options;
  FigureSources sources;
};

// What the provenance in the file `options.from` says of its figure; options on the line replace
// those of the file. The head is found by its run hash, and histories by name and hash. Throws
// FileError for a file without provenance, and for a head or a history that is not found.
Rebuild rebuild_of(const Subcommand& line, const FigureOptions& options);

// A figure out of a file without a command, and the options to draw it with.
struct StoredFigure {
  Figure figure;
  FigureOptions options;
};

// The figure that a file exported by the window carries: a JSON, or a picture with the figure in
// it. Nothing for a file whose provenance has a command. Throws FileError for one that has neither.
std::optional<StoredFigure> figure_as_stored(const Subcommand& line, const FigureOptions& options);

}  // namespace dispersion

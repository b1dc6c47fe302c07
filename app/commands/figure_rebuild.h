#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// How to make the figure in a file again.
struct Rebuild {
  FigureOptions options;
  FigureSources sources;
};

// Reads from the provenance in the file `options.from` how its figure was made. Options on the
// command line replace those of the file. The head is found by its run hash, and histories by name
// and hash. Throws FileError for a file without provenance, and for a head or a history that is not
// found.
Rebuild rebuild_of(const Subcommand& line, const FigureOptions& options);

// A figure that a file carries, and the options to draw it with.
struct StoredFigure {
  Figure figure;
  FigureOptions options;
};

// The figure in the file `options.from`, if the window exported it: the file is JSON, or a picture
// that carries the figure. Nothing if its provenance has a command. Throws FileError if it has
// neither.
std::optional<StoredFigure> figure_as_stored(const Subcommand& line, const FigureOptions& options);

}  // namespace dispersion

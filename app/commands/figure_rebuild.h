#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"

namespace dispersion {

// A figure that is in a file already, to be made again.
struct Rebuild {
  FigureOptions options;
  FigureSources sources;
};

// What the file `options.from` tells of its figure, with what is given on the line in the place of
// what the file says. Its head is found by its run hash, and its histories by name and hash. Throws
// FileError for a file that does not tell, and for a head that is nowhere.
Rebuild rebuild_of(const Subcommand& line, const FigureOptions& options);

// A figure out of a file that tells no command, and how it is to look now.
struct StoredFigure {
  Figure figure;
  FigureOptions options;
};

// The figure itself, out of a file that the window exported, which shows what was set there: its
// JSON, or a picture that carries it. Nothing for a file that tells a command. Throws FileError for
// one that has neither.
std::optional<StoredFigure> figure_as_stored(const Subcommand& line, const FigureOptions& options);

}  // namespace dispersion

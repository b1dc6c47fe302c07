#pragma once

#include <CLI/CLI.hpp>

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
Rebuild rebuild_of(const CLI::App& line, const FigureOptions& options);

// The figure itself, out of a JSON that tells no command: a window's, which shows what was set and
// zoomed there. Nothing for a file that tells one. Throws FileError for one that has neither.
std::optional<Figure> figure_as_stored(const std::filesystem::path& file);

}  // namespace dispersion

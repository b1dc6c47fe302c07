#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/figure_file.h"
#include "app/commands/head_source.h"

namespace dispersion {

struct FigureOptions {
  std::string name;  // of a figure, or "all"
  bool list = false;
  std::filesystem::path out;
  bool force = false;
  std::string format;  // of all; empty: PNG

  std::filesystem::path from;                 // an exported file, whose figure is made again
  std::vector<std::filesystem::path> search;  // folders that may hold its head

  std::filesystem::path checkpoint;
  std::uint32_t seed = 1;
  std::vector<std::filesystem::path> histories;
  int sets = 0;
  bool recompute = false;
  int threads = 0;

  std::string style = "default";
  std::string width;     // "84mm", "1200px"; empty: the style's
  double dpi = 0;        // 0: the style's
  std::string theme;     // empty: the style's
  double font_size = 0;  // of small text, in points; 0: the style's
  std::string typeface = "sans";
  int title = 0;  // 1: with, -1: without; 0: the style's
  bool transparent = false;
  bool surface = false;
  std::string view;  // of surfaces: "40,30" in degrees; empty: the usual one
  std::string rows;  // of tables; empty: the style's
  std::string date;  // empty: none
};

// Everything that `figure` takes.
void add_figure_options(CLI::App& command, const std::shared_ptr<FigureOptions>& options);

// The parts of it that other commands take too: --checkpoint and --seed, which are returned;
// --style, --width, --dpi, --theme, --font-size and --typeface; --date and --threads.
std::pair<CLI::Option*, CLI::Option*> add_head_options(CLI::App& command, FigureOptions& o);
void add_style_options(CLI::App& command, FigureOptions& o);
void add_run_options(CLI::App& command, FigureOptions& o);

// The head that the options name. Throws FileError and std::invalid_argument.
HeadSource chosen_head(const FigureOptions& options);

// How the options style a figure. Throws std::invalid_argument and UsageError.
RenderOptions render_options_of(const FigureOptions& options);

}  // namespace dispersion

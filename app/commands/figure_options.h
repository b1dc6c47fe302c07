#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/figure_catalogue.h"
#include "app/commands/head_source.h"
#include "app/commands/options.h"
#include "app/export/figure_file.h"
#include "core/attention/attention_transform.h"

namespace dispersion {

struct FigureOptions {
  std::string name;  // of a figure, or "all"
  bool list = false;
  std::filesystem::path out;
  bool force = false;
  std::string format;  // of all; empty: PNG

  std::filesystem::path from;                 // a file whose figure is made again
  std::vector<std::filesystem::path> search;  // folders that may hold its head

  std::filesystem::path checkpoint;
  std::uint32_t seed = 1;
  std::vector<std::filesystem::path> histories;
  int sets = 0;
  std::string transforms;  // "softmax,top-k"; empty: those that the figure has by itself
  bool recompute = false;
  int threads = 0;

  std::string style = "default";
  std::string width;     // "84mm", "1200px"; empty: the style's
  double dpi = 0;        // 0: the style's
  std::string theme;     // empty: the style's
  double font_size = 0;  // of small text, in points; 0: the style's
  std::string typeface = "sans";
  std::optional<bool> title;  // empty: the style's
  bool transparent = false;
  bool surface = false;
  std::string view;  // of surfaces: "40,30" in degrees; empty: the usual one
  std::string rows;  // of tables; empty: the style's
  std::string date;  // empty: none
};

// Everything that `figure` takes.
void add_figure_options(Subcommand& command, FigureOptions& o);

// The parts of it that other commands take too: --checkpoint and --seed; --transforms; --style,
// --width, --dpi,
// --theme, --font-size and --typeface; --date and --threads.
void add_head_options(Subcommand& command, FigureOptions& o);
void add_figure_transforms_option(Subcommand& command, FigureOptions& o);
void add_style_options(Subcommand& command, FigureOptions& o);
void add_run_options(Subcommand& command, FigureOptions& o);

// Empty: those that the figure has by itself.
std::vector<AttentionTransform> asked_transforms(const FigureOptions& options);

// The head that the options name. Throws FileError and std::invalid_argument.
HeadSource chosen_head(const FigureOptions& options);

// How the options style a figure. Throws std::invalid_argument and UsageError.
RenderOptions render_options_of(const FigureOptions& options);

// Refuses options on the line that change nothing in a file of this format: drawing options for a
// file of numbers, pixels per inch for one without pixels. Throws UsageError.
void refuse_unused_options(const Subcommand& line, const FigureOptions& options,
                           const FigureFormat& format);

// Refuses options on the line that name a source (a head, a history, a number of sets) that this
// figure is not made from. Throws UsageError.
void refuse_unused_sources(const Subcommand& line, const Experiment& experiment);

// What drawing options can act on in a figure.
struct FigureTraits {
  std::string name;  // as in the catalogue
  bool field;        // a field that can be drawn as a surface
  bool parts;        // a table that can be cut to its main rows
};

// Refuses drawing options on the line that act on what the figure does not have. Throws UsageError.
void refuse_unused_draw_options(const Subcommand& line, const FigureTraits& figure);

}  // namespace dispersion

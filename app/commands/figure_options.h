#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/commands/figure_catalogue.h"
#include "app/commands/options.h"
#include "app/export/figure_file.h"
#include "core/attention/attention_transform.h"

namespace dispersion {

// The options of the command `figure`.
struct FigureOptions {
  std::string name;  // of a figure, or "all"
  bool list = false;
  std::filesystem::path out;
  bool force = false;
  std::string format;  // of the files, if the name is "all"; empty: PNG

  std::filesystem::path from;                 // a file whose figure is to be made again
  std::vector<std::filesystem::path> search;  // folders with its head and its histories

  std::filesystem::path checkpoint;
  std::uint32_t seed = 1;
  std::vector<std::filesystem::path> histories;
  int sets = 0;            // 0: the default of the figure
  std::string transforms;  // "softmax,top-k"; empty: the default of the figure
  bool recompute = false;
  int threads = 0;

  std::string style = "default";
  // Options that are empty or 0 take the value of the style.
  std::string width;  // "84mm", "1200px"
  double dpi = 0;
  std::string theme;
  double font_size = 0;  // of small text, in points
  std::string typeface = "sans";
  std::optional<bool> title;
  bool transparent = false;
  bool surface = false;
  std::string view;  // of surfaces: "40,30" in degrees; empty: the default view
  std::string rows;  // of tables: "main" or "all"
  std::string date;  // empty: that of SOURCE_DATE_EPOCH, or none
};

// Adds all options of the command `figure`.
void add_figure_options(Subcommand& command, FigureOptions& options);

// Each adds options that other commands take too: --checkpoint and --seed; --transforms; --style,
// --width, --dpi, --theme, --font-size and --typeface; --date and --threads.
void add_head_options(Subcommand& command, FigureOptions& options);
void add_figure_transforms_option(Subcommand& command, FigureOptions& options);
void add_style_options(Subcommand& command, FigureOptions& options);
void add_run_options(Subcommand& command, FigureOptions& options);

// The transforms of the option --transforms; empty for the default of the figure.
std::vector<AttentionTransform> asked_transforms(const FigureOptions& options);

// The head that the options name. Throws FileError and std::invalid_argument.
HeadSource chosen_head(const FigureOptions& options);

// The render options that these options ask for. Throws std::invalid_argument and UsageError.
RenderOptions render_options_of(const FigureOptions& options);

// The following functions refuse options on the command line that would change nothing. All throw
// UsageError.

// Refuses what has no effect in a file of this format: drawing options for a file of numbers, and
// pixels per inch for a file without pixels.
void refuse_unused_options(const Subcommand& line, const FigureOptions& options,
                           const FigureFormat& format);

// Refuses options for a source (a head, a history, a number of sets) that the figure of this
// experiment is not computed from.
void refuse_unused_sources(const Subcommand& line, const Experiment& experiment);

// What drawing options can change in a figure.
struct FigureTraits {
  std::string name;
  bool field;  // it has a field, which can be drawn as a surface
  bool parts;  // it has a table that can be cut to its main rows
};

// Refuses drawing options for something that the figure does not have.
void refuse_unused_draw_options(const Subcommand& line, const FigureTraits& figure);

}  // namespace dispersion

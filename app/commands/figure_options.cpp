#include "app/commands/figure_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/commands/backend_choice.h"
#include "app/commands/shared_options.h"
#include "app/commands/text.h"
#include "app/export/style.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr WholeRange kSetsRange = {0, 1'000'000};
constexpr RealRange kDpiRange = {.low = 10, .high = 4800};
constexpr RealRange kFontSizeRange = {.low = 2, .high = 200};
constexpr RealRange kLengthRange = {.low = 0, .low_included = false, .high = 100'000};
constexpr RealRange kAzimuthRange = {.low = -180, .high = 180};
constexpr RealRange kElevationRange = {.low = 0, .high = 90};

struct Unit {
  std::string_view name;
  double millimetres;
};
constexpr std::array<Unit, 4> kUnits = {{{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}}};

[[noreturn]] void refuse_width(const std::string& text) {
  throw UsageError(
      "--width: expected a length like 84mm, 8.4cm, 3.3in, 240pt or 1200px, of at most 100000, "
      "not " +
      in_quotes(text));
}

void read_width(const std::string& text, SizeRequest& size) {
  const std::string_view all = text;
  const std::string_view unit = all.substr(all.size() - std::min<std::size_t>(2, all.size()));
  double number = 0;
  try {
    number = parse_real(all.substr(0, all.size() - unit.size()), kLengthRange);
  } catch (const UsageError&) {
    refuse_width(text);
  }
  if (unit == "px") {
    size.width_pixels = number;
    return;
  }
  const auto found = std::ranges::find(kUnits, unit, &Unit::name);
  if (found == kUnits.end()) refuse_width(text);
  size.width_mm = number * found->millimetres;
}

SurfaceView view_from(const FigureOptions& options) {
  if (!options.surface)
    throw UsageError("--view acts on surfaces; --surface draws them in place of heat maps");
  const std::string_view text = options.view;
  const std::size_t comma = text.find(',');
  try {
    if (comma == std::string_view::npos) throw UsageError("no comma");
    return view_of_degrees(parse_real(text.substr(0, comma), kAzimuthRange),
                           parse_real(text.substr(comma + 1), kElevationRange));
  } catch (const UsageError&) {
    throw UsageError(
        "--view: expected two angles in degrees like 40,30, from -180 to 180 and from 0 to 90, "
        "not " +
        in_quotes(options.view));
  }
}

// Refuses the option if the user gave it; `why` goes on "... does nothing for the figure X, ".
void refuse(const Subcommand& line, const char* option, std::string_view figure,
            const std::string& why) {
  if (!line.given(option)) return;
  throw UsageError(std::string(option) + " does nothing for the figure '" + std::string(figure) +
                   "', " + why);
}

}  // namespace

std::vector<AttentionTransform> asked_transforms(const FigureOptions& options) {
  return options.transforms.empty() ? std::vector<AttentionTransform>()
                                    : parse_transforms(options.transforms);
}

HeadSource chosen_head(const FigureOptions& options) {
  return options.checkpoint.empty() ? shipped_head(options.seed) : load_head(options.checkpoint);
}

RenderOptions render_options_of(const FigureOptions& options) {
  const Style& style = style_named(options.style);
  RenderOptions render_options = {&style, {}, style.draw};
  if (!options.width.empty()) read_width(options.width, render_options.size);
  if (options.dpi > 0) render_options.size.pixels_per_inch = options.dpi;
  if (options.theme == "light") render_options.draw.palette = kLightPalette;
  if (options.theme == "dark") render_options.draw.palette = kDarkPalette;
  if (options.theme == "print") render_options.draw.palette = kPrintPalette;
  if (options.font_size > 0) render_options.size.text_points = options.font_size;
  if (options.typeface == "serif") render_options.draw.family = FontFamily::kSerif;
  render_options.draw.transparent = options.transparent;
  if (options.title) render_options.draw.with_title = *options.title;
  render_options.draw.surfaces = options.surface;
  if (!options.view.empty()) render_options.draw.view = view_from(options);
  if (!options.rows.empty()) render_options.draw.all_rows = options.rows == "all";
  return render_options;
}

void add_head_options(Subcommand& command, FigureOptions& options) {
  command.add_path("--checkpoint", "FILE", options.checkpoint,
                   "Head (default: one inside the program)");
  command.add_whole("--seed", options.seed, kSeedRange, "The head inside the program of this seed");
  command.exclude("--seed", {"--checkpoint"});
}

void add_figure_transforms_option(Subcommand& command, FigureOptions& options) {
  command.add_text(
      "--transforms", "NAMES", options.transforms,
      [&options](const std::string& text) {
        options.transforms = transforms_text(parse_transforms(text));
      },
      "Attention transforms after softmax, for " + figures_with(&Experiment::takes_transforms) +
          ": " + transform_names());
}

void add_style_options(Subcommand& command, FigureOptions& options) {
  std::vector<std::string> names;
  for (const Style& style : styles())
    names.emplace_back(style.name);
  command.add_name("--style", options.style, names, alternatives(names));
  command.add_text("--width", "LENGTH", options.width,
                   "84mm, 3.3in, 240pt or 1200px (default: the style's)");
  command.add_real("--dpi", options.dpi, kDpiRange, "Pixels per inch (default: the style's)");
  command.show_default("--dpi", "");
  command.add_name("--theme", options.theme, {"light", "dark", "print"},
                   "light, dark or print (default: the style's)");
  command.add_real("--font-size", options.font_size, kFontSizeRange,
                   "Size of small text in points (default: the style's)");
  command.show_default("--font-size", "");
  command.add_name("--typeface", options.typeface, {"sans", "serif"},
                   "sans, or serif: Latin Modern, as in LaTeX");
}

void add_run_options(Subcommand& command, FigureOptions& options) {
  command.add_text("--date", "DATE", options.date,
                   "Date to write into the file (default: none, or SOURCE_DATE_EPOCH)");
  add_threads_option(command, options.threads);
}

void add_figure_options(Subcommand& command, FigureOptions& options) {
  command.add_text("NAME", "TEXT", options.name, "The figure to write, or all; not with --from");
  std::vector<std::string> names = {"all"};
  for (const Experiment& experiment : experiments())
    names.emplace_back(experiment.name);
  command.suggest("NAME", names);
  command.add_flag("--list", options.list,
                   "List the figures, with their width in the style paper, and the styles");
  command.add_path("-o,--out", "FILE", options.out, "File to write; for all, a folder");
  command.add_flag("--force", options.force, "Replace a file that is there");
  command.add_name(
      "--format", options.format, format_endings(),
      "With all: the ending of the files (default: png); tex and md are only for figures with a "
      "table");
  add_head_options(command, options);
  command.add_paths("--history", "FILE", options.histories,
                    "Training histories, for spread and training");
  command.add_whole("--sets", options.sets, kSetsRange,
                    "Sets of every size, for " + figures_with(&Experiment::figure_of_sets) +
                        "; 0: the figure's own default");
  add_figure_transforms_option(command, options);
  command.add_flag("--recompute", options.recompute,
                   "Evaluate the shipped heads again, for " + figures_with(&Experiment::stored) +
                       ", instead of using the results inside the program");
  command.add_path(
      "--from", "FILE", options.from,
      "Make the figure in this file again, from the same sources and in the same style, except for "
      "the options that are given");
  command.add_paths("--search", "FOLDER", options.search,
                    "With --from: folders with the checkpoint and the histories of the figure");
  command.need({"--search"}, "--from");
  add_style_options(command, options);
  // With --from, the opposite of an option undoes what the file says.
  command.add_opposite_flags(
      "--transparent", "--opaque", [&options](bool given) { options.transparent = given; },
      "Without a background, or with it");
  command.add_opposite_flags(
      "--no-title", "--title", [&options](bool without) { options.title = !without; },
      "Without the figure's title, or with it (default: the style's)");
  command.add_opposite_flags(
      "--surface", "--heatmap", [&options](bool given) { options.surface = given; },
      "Draw fields as surfaces in space, or as heat maps");
  command.add_text("--view", "AZIMUTH,ELEVATION", options.view,
                   "Direction from which surfaces are seen, in degrees");
  command.add_name("--rows", options.rows, {"main", "all"},
                   "Rows of tables: main, or all (default: main on a slide, else all)");
  add_run_options(command, options);
}

void refuse_unused_options(const Subcommand& line, const FigureOptions& options,
                           const FigureFormat& format) {
  const std::string ending = "." + std::string(format.ending);
  if (!is_picture(format)) {
    for (const char* name : {"--style", "--width", "--dpi", "--theme", "--font-size", "--typeface",
                             "--transparent", "--no-title", "--surface", "--view"}) {
      if (!line.given(name)) continue;
      throw UsageError(std::string(name) + " does nothing for " + ending +
                       ", which has numbers and no style; leave it out");
    }
    return;
  }
  if (format.kind != FormatKind::kPixels && line.given("--dpi") && !options.width.ends_with("px"))
    throw UsageError("--dpi does nothing for " + ending +
                     ", which has no pixels, unless --width is in px; leave it out");
}

void refuse_unused_sources(const Subcommand& line, const Experiment& experiment) {
  if (!figure_of_heads(experiment)) {
    for (const char* name : {"--seed", "--checkpoint"})
      refuse(line, name, experiment.name, "which is computed without a head; leave it out");
  } else if (figure_of_shipped_heads(experiment)) {
    for (const char* name : {"--seed", "--checkpoint"})
      refuse(line, name, experiment.name,
             "which shows the heads inside the program; the command table takes --heads");
  } else if (figure_of_all_seeds(experiment)) {
    refuse(line, "--seed", experiment.name,
           "which shows all seeds; --checkpoint or --history chooses one run");
  }
  if (!experiment.histories)
    refuse(line, "--history", experiment.name, "which shows no training history; leave it out");
  if (!experiment.figure_of_sets())
    refuse(
        line, "--sets", experiment.name,
        "which takes no number of sets; it goes with " + figures_with(&Experiment::figure_of_sets));
  if (!experiment.takes_transforms())
    refuse(line, "--transforms", experiment.name,
           "which has no transforms to choose; it goes with " +
               figures_with(&Experiment::takes_transforms));
  if (!experiment.stored)
    refuse(line, "--recompute", experiment.name,
           "which is computed every time; it goes with " + figures_with(&Experiment::stored));
}

void refuse_unused_draw_options(const Subcommand& line, const FigureTraits& figure) {
  if (!figure.field) {
    for (const char* name : {"--surface", "--view"})
      refuse(line, name, figure.name, "which has no field over two quantities; leave it out");
  }
  if (!figure.parts)
    refuse(line, "--rows", figure.name, "which has no table with main rows; leave it out");
}

}  // namespace dispersion

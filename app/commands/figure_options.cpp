#include "app/commands/figure_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/commands/figure_catalogue.h"
#include "app/commands/name_options.h"
#include "app/commands/number_options.h"
#include "app/commands/usage_error.h"
#include "app/export/style_arguments.h"

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
      "--width: expected a length like 84mm, 8.4cm, 3.3in, 240pt or 1200px, of at most 100000, not "
      "'" +
      text + "'");
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
    throw UsageError("--view is of surfaces, which --surface draws in the place of heat maps");
  const std::string_view text = options.view;
  const std::size_t comma = text.find(',');
  try {
    if (comma == std::string_view::npos) throw UsageError("no comma");
    return view_of_degrees(parse_real(text.substr(0, comma), kAzimuthRange),
                           parse_real(text.substr(comma + 1), kElevationRange));
  } catch (const UsageError&) {
    throw UsageError(
        "--view: expected two angles in degrees like 40,30, from -180 to 180 and from 0 to 90, "
        "not '" +
        options.view + "'");
  }
}

}  // namespace

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
  if (options.title != 0) render_options.draw.with_title = options.title > 0;
  render_options.draw.surfaces = options.surface;
  if (!options.view.empty()) render_options.draw.view = view_from(options);
  if (!options.rows.empty()) render_options.draw.all_rows = options.rows == "all";
  return render_options;
}

std::pair<CLI::Option*, CLI::Option*> add_head_options(CLI::App& command, FigureOptions& o) {
  CLI::Option* checkpoint =
      command.add_option("--checkpoint", o.checkpoint, "Head (default: one inside the program)")
          ->type_name("FILE");
  CLI::Option* seed = add_whole_option(command, "--seed", o.seed, kSeedRange,
                                       "The head inside the program of this seed")
                          ->excludes(checkpoint);
  return {checkpoint, seed};
}

void add_style_options(CLI::App& command, FigureOptions& o) {
  add_name_option(command, "--style", o.style, {"default", "paper", "slide", "poster"},
                  "default, paper, slide or poster");
  command.add_option("--width", o.width, "84mm, 3.3in, 240pt or 1200px (default: the style's)")
      ->type_name("LENGTH");
  add_real_option(command, "--dpi", o.dpi, kDpiRange, "Pixels per inch (default: the style's)")
      ->default_str("");
  add_name_option(command, "--theme", o.theme, {"light", "dark", "print"},
                  "light, dark or print (default: the style's)");
  add_real_option(command, "--font-size", o.font_size, kFontSizeRange,
                  "Size of small text in points (default: the style's)")
      ->default_str("");
  add_name_option(command, "--typeface", o.typeface, {"sans", "serif"},
                  "sans, or serif: Latin Modern, as in LaTeX");
}

void add_run_options(CLI::App& command, FigureOptions& o) {
  command
      .add_option("--date", o.date,
                  "Date to write into the file (default: none, or SOURCE_DATE_EPOCH)")
      ->type_name("DATE");
  add_whole_option(command, "--threads", o.threads, kThreadRange,
                   "Threads; 0: as many as the machine has. The result does not depend on it");
}

void add_figure_options(CLI::App& command, const std::shared_ptr<FigureOptions>& options) {
  FigureOptions& o = *options;
  command.add_option("NAME", o.name, "Which figure, or all; --from says it otherwise");
  command.add_flag("--list", o.list,
                   "Name the figures, with their width in the style paper, and the styles");
  command.add_option("-o,--out", o.out, "File to write; a folder for all")->type_name("FILE");
  command.add_flag("--force", o.force, "Replace a file that is there");
  add_name_option(
      command, "--format", o.format, {"png", "svg", "pdf", "csv", "json", "tex", "md"},
      "With all: png (default), svg, pdf, csv or json; tex or md, of those with a table");
  add_head_options(command, o);
  command.add_option("--history", o.histories, "Training histories, for spread and training")
      ->type_name("FILE");
  add_whole_option(
      command, "--sets", o.sets, kSetsRange,
      "Sets of every size, for " + figures_with(&CatalogueEntry::of_sets) + "; 0: as is usual");
  command.add_flag("--recompute", o.recompute,
                   "Evaluate the shipped heads again, for " +
                       figures_with(&CatalogueEntry::is_stored) +
                       ", though the program has what comes out");
  CLI::Option* from =
      command
          .add_option(
              "--from", o.from,
              "Make the figure in this file again, in the place of NAME and of what NAME is "
              "computed from; its look stays but for what is given")
          ->type_name("FILE");
  command
      .add_option("--search", o.search,
                  "With --from: where the checkpoint and histories lie that went into it")
      ->type_name("FOLDER")
      ->needs(from);
  add_style_options(command, o);
  // The other way round for --from.
  command.add_flag("--transparent,!--opaque", o.transparent, "Without a ground, or with it");
  command.add_flag("--no-title{-1},--title{1}", o.title,
                   "Without the figure's title, or with it (default: the style's)");
  command.add_flag("--surface,!--heatmap", o.surface,
                   "Fields as surfaces in space, or as heat maps");
  command
      .add_option("--view", o.view,
                  "From where surfaces are seen: turned so far, from so high, in degrees")
      ->type_name("AZIMUTH,ELEVATION");
  add_name_option(command, "--rows", o.rows, {"main", "all"},
                  "Of tables: main, or all (default: main on a slide, else all)");
  add_run_options(command, o);
}

}  // namespace dispersion

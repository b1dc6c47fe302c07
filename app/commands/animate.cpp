#include "app/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"
#include "app/commands/figure_provenance.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/shared_options.h"
#include "app/export/figure_file.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/figures.h"
#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr int kSmallest = 16;
constexpr WholeRange kLargestRange = {32, 131'072};
constexpr WholeRange kTimeRange = {20, 60'000};  // viewers slow down frames of less than 20 ms
constexpr WholeRange kRoundsRange = {0, 65'535};

struct AnimateOptions {
  FigureOptions figure;
  int largest = 16'384;
  int delay = 1000;  // milliseconds
  int hold = 3000;
  int rounds = 0;
};

const FigureFormat& animation_format(const fs::path& file) {
  if (file.empty()) throw UsageError("--out is missing: say where the animation goes");
  return format_to_write(file, true);
}

// The command that makes the animation again, from the command that makes its figure.
std::string command_text(const std::string& figure_command, const AnimateOptions& options) {
  const AnimateOptions defaults;
  std::string text = "animate" + figure_command.substr(figure_command.find(' '));
  const auto add = [&text](const char* name, int value, int default_value) {
    if (value != default_value) text.append(" ").append(name).append(" ") += std::to_string(value);
  };
  // The command `figure` leaves this out, since it is its default; here the default is "slide".
  if (options.figure.style == "default") text += " --style default";
  add("--largest", options.largest, defaults.largest);
  add("--delay", options.delay, defaults.delay);
  add("--hold", options.hold, defaults.hold);
  add("--rounds", options.rounds, defaults.rounds);
  return text;
}

Provenance provenance_of(const Experiment& experiment, const AnimateOptions& options,
                         const FigureSources& sources, const Backend& backend) {
  Provenance all = full_provenance(experiment, options.figure, animation_format(options.figure.out),
                                   sources, backend, {{"sets", frame_sets_text()}});
  for (auto& [name, value] : all) {
    if (name == "command") value = command_text(value, options);
  }
  return all;
}

std::vector<AttentionTransform> animated_transforms(const Experiment& experiment,
                                                    const FigureOptions& options) {
  SettingValues values(experiment.settings, SettingUse::kPicture);
  const std::vector<AttentionTransform> asked = asked_transforms(options);
  if (!asked.empty()) values.set_transforms(asked);
  return compared_transforms(values);
}

int make_animation(const AnimateOptions& options) {
  const Experiment& experiment = figure_named(options.figure.name);
  const RenderOptions render_options = render_options_of(options.figure);
  const FigureFormat& format = animation_format(options.figure.out);
  const std::vector<int> sizes = doubling_sizes(kSmallest, options.largest);
  if (sizes.back() != options.largest)
    throw UsageError("--largest: expected 16 doubled, like 1024, not " +
                     std::to_string(options.largest));
  figure_date(options.figure.date);
  const FigureSources sources = {chosen_head(options.figure), {}, 0, {}, false};
  require_free(options.figure.out, options.figure.force);
  const Parameters<float>& head = sources.head.checkpoint.state.parameters;
  require_finite_attention(sources.head.name, head);
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.figure.threads);
  std::vector<Figure> figures = dispersion_animation(
      dispersion_frames(*backend, head, sizes, animated_transforms(experiment, options.figure)),
      ColourScale::kSquareRoot);
  for (Figure& figure : figures)
    figure.provenance = provenance_of(experiment, options, sources, *backend);
  const std::string bytes = animation_bytes(figures, format, render_options,
                                            {options.delay, options.hold, options.rounds});
  if (interrupt.interrupted()) {
    print_error("interrupted; " + path_text(options.figure.out) + " is not written");
    return interrupt.exit_code();
  }
  write_file_atomically(options.figure.out, bytes);
  print(path_text(options.figure.out) + "\n");
  return 0;
}

constexpr const char* kFooter =
    "The file says how it was made. The same animation gives the same bytes.\n\n"
    "Examples:\n"
    "  dispersion_lab animate dispersion -o dispersion.gif\n"
    "  dispersion_lab animate adaptive-dispersion -o adaptive.png --theme dark --delay 600";

}  // namespace

void add_animate_command(CommandLine& line) {
  auto options = std::make_shared<AnimateOptions>();
  FigureOptions& figure = options->figure;
  figure.style = "slide";
  Subcommand& command = line.add_subcommand(
      "animate", "Write an animation of attention as n doubles: " + format_names(true));
  command.footer("The ending of the file name chooses the format:\n" + format_help(true) + kFooter);
  command.add_name("NAME", figure.name, {"dispersion", "adaptive-dispersion"},
                   "dispersion, or adaptive-dispersion");
  command.require("NAME");
  command.add_path("-o,--out", "FILE", figure.out, "File to write");
  command.add_flag("--force", figure.force, "Replace a file that is there");
  add_figure_transforms_option(command, figure);
  add_head_options(command, figure);
  command.add_whole("--largest", options->largest, kLargestRange,
                    "Items of the last frame: 16 doubled again and again");
  command.add_whole("--delay", options->delay, kTimeRange, "Milliseconds for each frame");
  command.add_whole("--hold", options->hold, kTimeRange, "Milliseconds for the last frame");
  command.add_whole("--rounds", options->rounds, kRoundsRange,
                    "How often the animation runs; 0: for ever");
  add_style_options(command, figure);
  command.add_flag(
      "--no-title", [&figure] { figure.title = false; }, "Without the number of items above");
  add_run_options(command, figure);
  command.on_run([options] {
    try {
      return make_animation(*options);
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  });
}

}  // namespace dispersion

#include "app/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/experiment_command.h"
#include "app/commands/figure_catalogue.h"
#include "app/commands/figure_options.h"
#include "app/commands/figure_provenance.h"
#include "app/commands/figure_rebuild.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/text.h"
#include "app/export/figure_data.h"
#include "app/export/figure_file.h"
#include "app/export/style.h"
#include "app/session/export_settings.h"
#include "core/figure/number_text.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

// A figure, and the file that it is written to.
struct Job {
  const Experiment* experiment;
  fs::path file;
  const FigureFormat* format;
};

void require_out(const FigureOptions& options) {
  if (options.out.empty()) throw UsageError("--out is missing: say where the figure goes");
}

// Refuses a folder whose name has the ending of a file, which is probably a mistake.
void require_folder_name(const FigureOptions& options) {
  if (!format_of_ending(options.out)) return;
  const std::string folder = fs::path(options.out).replace_extension().string();
  throw UsageError(in_quotes(options.out.string()) +
                   " is named like a file, and all figures go into a folder; expected one like " +
                   in_quotes(folder) + ", and --format, which says what the figures become");
}

bool holds_only_tables(const FigureFormat& format) {
  return format.kind == FormatKind::kTables;
}

// Jobs for all figures that can be written in the format of the options.
std::vector<Job> jobs_of_all(const FigureOptions& options) {
  require_folder_name(options);
  const std::string ending = options.format.empty() ? ".png" : "." + options.format;
  std::vector<Job> jobs;
  for (const Experiment& experiment : experiments()) {
    const fs::path file = options.out / (std::string(experiment.name) + ending);
    const FigureFormat& format = format_to_write(file);
    if (experiment.figure_has_table || !holds_only_tables(format))
      jobs.push_back({&experiment, file, &format});
  }
  return jobs;
}

// Says which figures are not among the jobs, and why.
std::string left_out_text(const std::vector<Job>& jobs) {
  std::string names;
  for (const Experiment& experiment : experiments()) {
    if (std::ranges::find(jobs, &experiment, &Job::experiment) == jobs.end())
      names.append(names.empty() ? "" : ", ").append(experiment.name);
  }
  return names.empty() ? "" : "left out, since they have no table: " + names + "\n";
}

std::vector<Job> planned_jobs(const FigureOptions& options) {
  require_out(options);
  if (options.name == "all") return jobs_of_all(options);
  if (!options.format.empty())
    throw UsageError("--format goes with 'all'; otherwise the ending of the file name says it");
  const Experiment& experiment = figure_named(options.name);
  const FigureFormat& format = format_to_write(options.out);
  if (holds_only_tables(format)) require_table(experiment);
  return {{&experiment, options.out, &format}};
}

// Adds the history that lies beside the checkpoint, unless the user named others. The command
// `train` writes both from time to time while a run goes on.
FigureOptions with_history(const FigureOptions& options) {
  if (options.checkpoint.empty() || !options.histories.empty()) return options;
  FigureOptions complete = options;
  const fs::path history = history_path(options.checkpoint);
  std::error_code error;
  if (fs::exists(history, error)) {
    complete.histories = {history};
  } else if (options.name == "training") {
    throw FileError(history,
                    "is not there; expected the history of the checkpoint's run, or one "
                    "given with --history");
  }
  return complete;
}

// Refuses options for what the file of --from determines.
void require_alone(const Subcommand& line) {
  for (const char* name : {"NAME", "--list", "--format", "--checkpoint", "--seed", "--history",
                           "--sets", "--transforms", "--recompute"}) {
    if (!line.given(name)) continue;
    throw UsageError("--from takes the figure and its sources from the file; " + std::string(name) +
                     " cannot be given with it");
  }
}

// What the drawing options on the command line can change in a figure.
FigureTraits traits_of(const Experiment& experiment) {
  return {std::string(experiment.name), experiment.figure_has_field, experiment.figure_has_parts};
}

FigureTraits traits_of(const Figure& figure) {
  return {figure.name, !figure.fields.empty(), has_main_rows(figure)};
}

FigureSources sources_of(const FigureOptions& options) {
  FigureSources sources = {
      chosen_head(options), {}, options.sets, asked_transforms(options), options.recompute};
  for (const fs::path& file : options.histories)
    sources.histories.push_back(read_history(file));
  return sources;
}

// In a file of numbers, cuts tables to their main rows if the user asked for it. In pictures the
// draw options do so.
void keep_rows(Figure& figure, const FigureOptions& options, const FigureFormat& format) {
  if (options.rows != "main" || is_picture(format)) return;
  figure = with_main_rows(std::move(figure));
}

// Computes a figure and writes its file. Returns false, without writing, after an interruption.
bool make_file(const Job& job, const FigureOptions& options, const FigureSources& sources,
               const RenderOptions& render_options, ExperimentBackends& backends,
               InterruptGuard& interrupt) {
  Figure figure;
  {
    ProgressBar bar;
    figure = make_figure(*job.experiment, sources, backends, [&](double share) {
      if (bar.due()) bar.update(share, job.experiment->name);
      return !interrupt.interrupted();
    });
  }
  if (interrupt.interrupted()) return false;
  keep_rows(figure, options, *job.format);
  figure.provenance = full_provenance(*job.experiment, options, *job.format, sources,
                                      backends.backend(), figure.provenance);
  write_file_atomically(job.file, figure_bytes(figure, *job.format, render_options));
  print(path_text(job.file) + "\n");
  return true;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot be made: " + error.message());
}

// Writes a figure that a file carries, with the drawing options on the command line.
int redraw(StoredFigure stored, const Subcommand& line) {
  auto& [figure, options] = stored;
  RenderOptions render_options;
  const FigureFormat* format = nullptr;
  try {
    require_out(options);
    format = &format_to_write(options.out);
    if (format->read_figure == nullptr) refuse_unused_options(line, options, *format);
    refuse_unused_draw_options(line, traits_of(figure));
    render_options = render_options_of(options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  require_free(options.out, options.force);
  keep_rows(figure, options, *format);
  write_file_atomically(options.out, carrying_bytes(std::move(figure), *format, render_options));
  print(path_text(options.out) + "\n");
  return 0;
}

int make_figures(const Subcommand& line, const FigureOptions& given) {
  if (!given.from.empty()) {
    require_alone(line);
    if (auto stored = figure_as_stored(line, given)) return redraw(*std::move(stored), line);
  }
  std::vector<Job> jobs;
  RenderOptions render_options;
  Rebuild rebuild;
  const auto& [options, sources] = rebuild;
  try {
    if (given.from.empty()) {
      if (given.name != "all") refuse_unused_sources(line, figure_named(given.name));
      rebuild.options = with_history(given);
      rebuild.sources = sources_of(rebuild.options);
    } else {
      rebuild = rebuild_of(line, given);
    }
    jobs = planned_jobs(options);
    refuse_unused_options(line, options, *jobs.front().format);
    if (options.name != "all")
      refuse_unused_draw_options(line, traits_of(*jobs.front().experiment));
    render_options = render_options_of(options);
    figure_date(options.date);  // refuses a wrong date before anything is computed
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  std::vector<fs::path> files;
  for (const Job& job : jobs)
    files.push_back(job.file);
  require_free(files, options.force);
  if (options.name == "all") make_folder(options.out);
  InterruptGuard interrupt;
  CommandBackends backends("cpu", options.threads);
  for (const Job& job : jobs) {
    try {
      if (make_file(job, options, sources, render_options, backends, interrupt)) continue;
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
    print_error("interrupted; " + path_text(job.file) + " is not written");
    return interrupt.exit_code();
  }
  if (options.name == "all") print(left_out_text(jobs));
  return 0;
}

constexpr int kNameWidth = 21;
// The width of a figure does not depend on the number of sets, and fewer sets take less time.
constexpr int kFewSets = 16;

FigureSources quick_sources(const Experiment& experiment) {
  FigureSources sources = {shipped_heads().front(), {}, 0, {}, false};
  if (experiment.figure_of_sets() && !experiment.stored) sources.sets = kFewSets;
  return sources;
}

// The width of a figure in the style paper: "84 mm".
std::string paper_width(const Experiment& experiment, ExperimentBackends& backends) {
  const Figure figure =
      make_figure(experiment, quick_sources(experiment), backends, [](double) { return true; });
  const Style& paper = style_named("paper");
  return fixed_text(sheet_for(figure, paper, {}, paper.draw).width_mm, 0) + " mm";
}

// Prints all figures, each with its width in the style paper, and all styles. To measure a figure
// it must be computed.
int list_figures(int threads) {
  CommandBackends backends("cpu", threads);
  print("figures, and how wide each is in the style paper\n");
  for (const Experiment& experiment : experiments()) {
    print(align_left(experiment.name, kNameWidth) +
          align_right(paper_width(experiment, backends), 6) + "  " +
          experiment.summary_with_place() + "\n");
  }
  std::string text = "\nstyles\n";
  for (const Style& style : styles())
    text += align_left(style.name, kNameWidth) + std::string(style.purpose) + "\n";
  print(text);
  return 0;
}

constexpr const char* kFooter =
    "Every file says how its figure was made. The same figure gives the same bytes. A checkpoint\n"
    "may be of a run that is going on: train writes it, and its history, from time to time.\n\n"
    "Examples:\n"
    "  dispersion_lab figure --list\n"
    "  dispersion_lab figure dispersion -o dispersion.pdf --style paper\n"
    "  dispersion_lab figure entropy -o entropy.png --style slide --theme dark\n"
    "  dispersion_lab figure table -o table.tex\n"
    "  dispersion_lab figure training -o now.png --checkpoint runs/default/seed1.safetensors\n"
    "  dispersion_lab figure --from old.pdf -o new.svg --style slide\n"
    "  dispersion_lab figure all -o figures --format svg\n"
    "  dispersion_lab figure all -o tables --format tex";

}  // namespace

void add_figure_command(CommandLine& line) {
  auto options = std::make_shared<FigureOptions>();
  Subcommand& command =
      line.add_subcommand("figure", "Write a figure to a file: " + format_names());
  command.footer("The ending of the file name chooses the format:\n" + format_help() + kFooter);
  add_figure_options(command, *options);
  command.on_run([options, &command] {
    if (options->list) return list_figures(options->threads);
    if (options->name.empty() && options->from.empty())
      throw UsageError("NAME is missing: a figure, or all; figure --list names them");
    return make_figures(command, *options);
  });
}

}  // namespace dispersion

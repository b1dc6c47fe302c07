#include "app/commands/commands.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/run_files.h"
#include "app/commands/shared_options.h"
#include "app/commands/train_runs.h"
#include "app/export/picture.h"
#include "app/export/provenance.h"
#include "app/session/kept_runs.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

struct HeadlessOptions {
  double seconds = 60;      // of training
  std::int64_t sets = 256;  // of each size, for the curves
  std::uint32_t seed = 1;
  std::filesystem::path out = std::filesystem::path("runs") / "headless";
  int threads = 0;
};

constexpr std::int64_t kNoStepLimit = 4'000'000'000;

// An interrupted run draws its last figure with so many sets at most, which takes half a second.
constexpr std::int64_t kSetsAfterSignal = 32;

// The figure of the head in its present state: attention maps, accuracy and entropy.
Figure dispersion_figure(Backend& backend, const TrainingState& state, std::int64_t curve_sets,
                         ProgressBar& bar, std::string title, const Progress& keep_going) {
  const std::vector<AttentionTransform> transforms = paper_transforms();
  const std::vector<int> sizes = doubling_sizes();
  const std::vector<TransformFrames> frames =
      dispersion_frames(backend, state.parameters, sizes, transforms);
  const std::vector<SizeRow> rows = evaluate_sizes(
      backend, state.parameters, kFigureSetSeed, sizes, curve_sets, transforms, [&](double share) {
        bar.update(share, "drawing the head at step " + std::to_string(state.step));
        return keep_going(share);
      });
  Figure figure;
  figure.name = "dispersion";
  figure.title = Statement::naming(std::move(title));
  figure.grids = {dispersion_grid(frames, ColourScale::kSquareRoot)};
  figure.plots = {accuracy_plot(rows), entropy_plot(rows)};
  return figure;
}

// Writes that figure; returns false, without writing, after a stop.
bool write_figure(Backend& backend, const TrainingState& state, std::int64_t curve_sets,
                  const std::filesystem::path& file, std::string title,
                  const Progress& keep_going) {
  ProgressBar bar;
  Figure figure = dispersion_figure(backend, state, curve_sets, bar, std::move(title), keep_going);
  if (keep_going.stopped()) return false;
  figure.provenance = provenance_of_build();
  add_missing(figure.provenance, provenance_of_head("", Recipe(), state));
  figure.provenance.emplace_back("backend", backend.description());
  write_file_atomically(file, png_bytes(figure, SheetSize(), DrawOptions()));
  return true;
}

// Trains until the time is up or a signal arrives.
TrainingEnd train_for(Backend& backend, double seconds, std::vector<Run>& runs,
                      InterruptGuard& interrupt) {
  using Clock = std::chrono::steady_clock;
  ProgressBar bar;
  const auto begin = Clock::now();
  return train_runs(
      backend,
      {.recipe = Recipe(),
       .target_step = kNoStepLimit,
       .history = false,
       .second_place = kept_runs_folder()},
      runs, [&](const TrainingProgress& now) {
        const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
        bar.update(
            elapsed / seconds,
            "training, step " + std::to_string(now.newest.step) + "  loss " +
                fixed_text(static_cast<double>(now.newest.cross_entropy + now.newest.l2), 4));
        return elapsed < seconds && !interrupt.interrupted();
      });
}

int run_headless(const HeadlessOptions& options) {
  const std::string seed = std::to_string(options.seed);
  std::vector<Run> runs = {
      {options.out / "head.safetensors", start_training(HeadShape(), options.seed), -1}};
  take_names(runs.front());
  prepare_folders(runs);
  const std::filesystem::path before = options.out / "before.png";
  const std::filesystem::path after = options.out / "after.png";
  // Only training has something to save. (Made before the backend, whose threads must not take the
  // signals.)
  std::optional<InterruptGuard> interrupt(AfterSignal::kEnds);
  const auto backend = make_cpu_backend(options.threads);
  const Progress keep_going = [&](double) { return !interrupt->interrupted(); };
  if (!write_figure(*backend, runs.front().state, options.sets, before,
                    "Seed " + seed + " before training", keep_going)) {
    print_error("interrupted; nothing is trained");
    return interrupt->exit_code();
  }
  interrupt.emplace(AfterSignal::kSaves);
  const TrainingEnd end = train_for(*backend, options.seconds, runs, *interrupt);
  const Run& run = runs.front();
  const TrainingState& state = run.state;
  const bool saved = run.step_on_disk == state.step;
  for (const std::string& problem : {run.moved, run.failure}) {
    if (!problem.empty()) print_error(problem);
  }
  const bool cut_short = interrupt->interrupted();
  if (!cut_short) interrupt.emplace(AfterSignal::kEnds);
  if (!write_figure(*backend, state,
                    cut_short ? std::min(options.sets, kSetsAfterSignal) : options.sets, after,
                    "Seed " + seed + " after " + grouped_text(state.step) + " training steps",
                    cut_short ? Progress() : keep_going)) {
    print_error("interrupted; " + (saved ? run.file.string() + " is written, " : "") +
                after.string() + " is not" + (saved ? "" : " written"));
    return interrupt->exit_code();
  }
  // Errors first, which are told also when nobody reads the report.
  if (end.non_finite) {
    print_error("the loss is not finite at step " + std::to_string(end.non_finite_step) +
                "; training stopped and the state before that step is shown");
  } else if (!end.error.empty()) {
    print_error(error_text(end, runs));
  }
  print("trained " + std::to_string(state.step) + " steps, run " + run_hash(Recipe(), state) +
        "\n" + path_text(before) + "\n" + path_text(after) + "\n" +
        (saved ? path_text(run.file) + "\n" : ""));
  if (end.non_finite || !end.error.empty()) return 1;
  if (!run.moved.empty() || !run.failure.empty()) return 1;
  return cut_short ? interrupt->exit_code() : 0;
}

}  // namespace

int run_without_display() {
  const HeadlessOptions options;
  print(
      "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): instead of opening a window, a "
      "head\n"
      "is trained for a minute and drawn before and after; the figures go to " +
      options.out.string() + ".\n");
  return run_headless(options);
}

void add_headless_command(CommandLine& line) {
  auto options = std::make_shared<HeadlessOptions>();
  Subcommand& command = line.add_subcommand(
      "headless", "Train for a minute and write the figures of before and after; needs no display");
  command.footer(
      "Writes before.png, after.png and head.safetensors to the folder and replaces those of\n"
      "the last time. This is what the program does without a subcommand and without a display.\n\n"
      "Example:\n"
      "  dispersion_lab headless --seconds 20 --out figures");
  command.add_real("--seconds", options->seconds, {.low = 0, .low_included = false, .high = 1e6},
                   "How long to train");
  command.add_whole("--sets", options->sets, {1, 1'000'000},
                    "Sets of every size behind the curves");
  command.add_whole("--seed", options->seed, kSeedRange, "Seed of weights and batches");
  command.add_path("--out", "DIR", options->out, "Folder for the figures");
  command.add_whole("--threads", options->threads, kThreadRange,
                    "Threads; 0: as many as the machine has");
  command.on_run([options] { return run_headless(*options); });
}

}  // namespace dispersion

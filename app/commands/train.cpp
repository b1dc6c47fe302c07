#include "app/commands/commands.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "app/commands/backend_choice.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/run_files.h"
#include "app/commands/shared_options.h"
#include "app/commands/text.h"
#include "app/commands/train_runs.h"
#include "app/export/provenance.h"
#include "app/session/kept_runs.h"
#include "core/figure/training_text.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// The counter of the random numbers holds the step in 32 bits.
constexpr WholeRange kStepRange = {0, 4'000'000'000};
constexpr WholeRange kSeedCountRange = {1, 1000};

struct TrainOptions {
  Recipe recipe;
  std::int64_t steps = 100'000;
  std::uint32_t seed = 1;
  int seeds = 0;  // 0: not given
  std::filesystem::path out;
  std::filesystem::path resume;
  std::int64_t save_every = 10'000;
  std::string backend = "cpu";
  int threads = 0;
  bool json = false;
};

struct TrainReport {
  TrainingEnd end;
  TrainingProgress progress;
  double seconds = 0;

  double steps_per_second() const {
    const double steps = static_cast<double>(progress.steps_done) / progress.heads;
    return seconds > 0 ? steps / seconds : 0;
  }
};

void require_possible(const Recipe& recipe) {
  try {
    validate(recipe);
  } catch (const std::invalid_argument& error) {
    // The message names a field of the recipe, which is an option here.
    std::string text = error.what();
    std::ranges::replace(text, '_', '-');
    throw UsageError("--" + text);
  }
}

ResumedRuns choose_runs(const TrainOptions& options) {
  if (!options.resume.empty()) return resume_runs(options.resume, options.steps, options.out);
  require_possible(options.recipe);
  const auto folder = options.out.empty() ? default_run_folder(options.recipe) : options.out;
  const std::uint32_t first = options.seeds > 0 ? 1 : options.seed;
  const int count = options.seeds > 0 ? options.seeds : 1;
  return {options.recipe, start_runs(options.recipe, first, count, options.steps, folder)};
}

std::string progress_text(const TrainReport& report, std::int64_t target) {
  const StepRecord& newest = report.progress.newest;
  return "step " + std::to_string(newest.step) + " of " + std::to_string(target) + "  " +
         std::to_string(static_cast<std::int64_t>(report.steps_per_second())) + " steps/s  " +
         batch_text(newest).text();
}

TrainReport train(Backend& backend, const TrainingPlan& plan, std::vector<Run>& runs,
                  InterruptGuard& interrupt) {
  TrainReport report;
  ProgressBar bar;
  const auto begin = std::chrono::steady_clock::now();
  report.end = train_runs(backend, plan, runs, [&](const TrainingProgress& progress) {
    report.progress = progress;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    report.seconds = elapsed.count();
    if (bar.due()) {
      const auto done = static_cast<double>(progress.steps_done);
      bar.update(done / static_cast<double>(progress.steps_to_do),
                 progress_text(report, plan.target_step));
    }
    return !interrupt.interrupted();
  });
  return report;
}

// Why the run is not saved where it was to be; empty if it is.
std::string problem(const Run& run) {
  return run.moved + (run.moved.empty() || run.failure.empty() ? "" : "; ") + run.failure;
}

Json report_json(const Backend& backend, const Recipe& recipe, const std::vector<Run>& runs,
                 const TrainReport& report) {
  Json files = Json::array();
  for (const Run& run : runs) {
    files.push_back({{"file", run.file.string()},
                     {"seed", run.state.seed},
                     {"step", run.state.step},
                     {"run_hash", run_hash(recipe, run.state)},
                     {"step_on_disk", run.step_on_disk},
                     {"problem", problem(run).empty() ? Json() : Json(problem(run))}});
  }
  Json object = {{"command", "train"},
                 {"interrupted", report.end.stopped},
                 {"non_finite_step", nullptr},
                 {"non_finite_seed", nullptr},
                 {"error", report.end.error.empty() ? Json() : Json(report.end.error)},
                 {"recipe", Json::parse(recipe_to_json(recipe))},
                 {"files", files},
                 {"seconds", report.seconds},
                 {"steps_per_second", report.steps_per_second()}};
  if (report.end.non_finite) {
    object["non_finite_step"] = report.end.non_finite_step;
    object["non_finite_seed"] = report.end.non_finite_seed;
  }
  object.update(build_provenance_json(backend.description()));
  return object;
}

std::string report_text(const Recipe& recipe, const std::vector<Run>& runs,
                        const TrainReport& report) {
  std::string text;
  for (const Run& run : runs) {
    text += path_text(run.file) + "  seed " + std::to_string(run.state.seed);
    if (run.step_on_disk > run.state.step) {
      text += "  keeps its step " + std::to_string(run.step_on_disk) + "\n";
      continue;
    }
    text += "  step " + std::to_string(run.state.step) + "  run " + run_hash(recipe, run.state);
    text += run.step_on_disk < run.state.step ? "  not saved\n" : "\n";
  }
  if (report.progress.steps_done > 0) {
    text += "trained for " + duration_text(report.seconds) + " at " +
            std::to_string(static_cast<std::int64_t>(report.steps_per_second())) +
            " steps/s, recipe: " + recipe_text(recipe) + "\n";
    if (runs.size() == 1)
      text += "newest batch: " + batch_text(report.progress.newest).text() + "\n";
  }
  return text;
}

// "; go on with: ...", where one command can go on with all of them; else empty.
std::string resume_advice(const TrainOptions& options, const std::vector<Run>& runs) {
  const std::filesystem::path place = common_place(runs);
  const bool all_saved =
      std::ranges::all_of(runs, [](const Run& run) { return run.step_on_disk >= 0; });
  if (place.empty() || !all_saved) return "";
  return "; go on with: dispersion_lab train --resume " + place.string() + " --steps " +
         std::to_string(options.steps);
}

// Says why training ended before its last step, if it did. Returns the exit code.
int print_end(const TrainOptions& options, const TrainingEnd& end, const std::vector<Run>& runs,
              const InterruptGuard& interrupt) {
  const bool saved =
      std::ranges::all_of(runs, [](const Run& run) { return run.step_on_disk >= run.state.step; });
  if (end.non_finite) {
    print_error("seed " + std::to_string(end.non_finite_seed) +
                ": the loss is not finite at step " + std::to_string(end.non_finite_step) +
                "; training stopped" + (saved ? " and the state before that step is saved" : ""));
    return 1;
  }
  if (!end.error.empty()) {
    print_error(error_text(end, runs) + resume_advice(options, runs));
    return 1;
  }
  if (!end.stopped) return 0;
  print_error(saved ? "interrupted and saved" + resume_advice(options, runs) : "interrupted");
  return interrupt.exit_code();
}

int run_train(const TrainOptions& options) {
  auto [recipe, runs] = choose_runs(options);
  prepare_folders(runs);
  InterruptGuard interrupt(AfterSignal::kSaves);
  const auto backend = make_backend(options.backend, options.threads, interrupt.stop());
  const TrainingPlan plan = {.recipe = recipe,
                             .target_step = options.steps,
                             .save_every = options.save_every,
                             .history = true,
                             .threads = options.threads,
                             .second_place = kept_runs_folder(),
                             .warn = print_error};
  const TrainReport report = train(*backend, plan, runs, interrupt);
  // Errors first, which are told also when nobody reads the report.
  bool in_place = true;
  for (const Run& run : runs) {
    if (problem(run).empty()) continue;
    in_place = false;
    print_error(problem(run));
  }
  const int code = print_end(options, report.end, runs, interrupt);
  print(options.json ? json_line(report_json(*backend, recipe, runs, report))
                     : report_text(recipe, runs, report));
  return in_place ? code : 1;
}

constexpr const char* kFooter =
    "Each head is kept as a safetensors file, DIR/seedK.safetensors, with all that is needed to\n"
    "continue bit for bit. A file that holds another run is never overwritten. Ctrl-C saves and "
    "stops.\n"
    "Beside it, DIR/seedK.history.csv tells how the head grew: at steps 0, 1, 2, 5, 10, ..., then\n"
    "every 1000, the spread of its dot products Qy·Kx and the bound on it, norms, loss and "
    "accuracy.\n\n"
    "Examples:\n"
    "  dispersion_lab train --steps 20000 --seed 1\n"
    "  dispersion_lab train --seeds 10 --steps 100000 --out runs/paper\n"
    "  dispersion_lab train --resume runs/paper --steps 200000";

}  // namespace

void add_train_command(CommandLine& line) {
  auto options = std::make_shared<TrainOptions>();
  Subcommand& command = line.add_subcommand("train", "Train heads and keep them as checkpoints");
  command.footer(kFooter);
  command.add_whole("--steps", options->steps, kStepRange,
                    "Train until this step, counted from the start of the run");
  command.add_whole("--seed", options->seed, kSeedRange, "Seed of weights and batches");
  command.add_whole("--seeds", options->seeds, kSeedCountRange,
                    "Train the seeds 1 to N side by side, instead of --seed");
  command.show_default("--seeds", "");
  command.add_path("--out", "DIR", options->out,
                   "Folder for the checkpoints (default: runs/default, or runs/recipe-XXXXXXXX "
                   "for a recipe of your own; with --resume, where they are)");
  command.add_path("--resume", "FILE|DIR", options->resume,
                   "Continue from a checkpoint, or from all in a folder");
  command.add_whole("--checkpoint-every", options->save_every, kStepRange,
                    "Also save after this many steps, again and again; 0: only at the end");
  add_backend_option(command, options->backend);
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of text");
  command.exclude("--seed", {"--seeds"});
  command.exclude("--resume", {"--seed", "--seeds"});
  command.exclude("--resume", add_recipe_options(command, options->recipe));
  command.on_run([options] { return run_train(*options); });
}

}  // namespace dispersion

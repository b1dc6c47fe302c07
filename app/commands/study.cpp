#include "app/commands/study.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/interrupt.h"
#include "app/commands/number_options.h"
#include "app/commands/standard_streams.h"
#include "app/commands/study_heads.h"
#include "app/commands/study_report.h"
#include "app/commands/study_results.h"
#include "app/commands/table_evaluation.h"
#include "app/commands/usage_error.h"
#include "core/cpu/cpu_backend.h"
#include "core/io/atomic_file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr WholeRange kStepRange = {1, 4'000'000'000};
constexpr WholeRange kSeedCountRange = {0, 1000};
constexpr WholeRange kSetsRange = {1, 1'000'000'000};

struct StudyOptions {
  std::vector<std::string> arms;
  fs::path runs = fs::path("runs") / "study";
  fs::path results = fs::path("docs") / "results";
  fs::path page = fs::path("docs") / "table1.md";
  fs::path heads;
  std::int64_t steps = 100'000;
  std::int64_t sets = 16'384;
  int seeds = 0;  // 0: as many as the arm has
  bool no_training = false;
  bool force = false;
  int threads = 0;
};

TableInputs table_inputs(const StudyArm& arm, const StudyOptions& options,
                         const std::vector<Run>& runs) {
  TableInputs inputs;
  for (const Run& run : runs) {
    // The folder is the arm's, or "shipped".
    const fs::path name = run.file.parent_path().filename() / run.file.filename();
    inputs.heads.push_back({{arm.recipe, run.state, true, {}}, name.generic_string()});
  }
  inputs.settings.sets = options.sets;
  inputs.settings.evaluation.precision = arm.evaluation;
  if (arm.evaluation != Precision::kFloat) inputs.settings.evaluation.path = HeadPath::kDirect;
  for (const AttentionMap& map : inputs.settings.maps)
    inputs.shown.push_back(map.kind);
  return inputs;
}

// Evaluates the heads and stores the table; returns false when that was interrupted.
bool evaluate_arm(const StudyArm& arm, const StudyOptions& options, const std::vector<Run>& runs,
                  Backend& backend, InterruptGuard& interrupt) {
  const TableInputs inputs = table_inputs(arm, options, runs);
  const TableOne table = evaluate_table(inputs, backend, interrupt, "evaluating " + arm.name);
  if (interrupt.interrupted()) return false;
  Json object = table_json(inputs, table, backend);
  object["arm"] = arm.name;
  object["description"] = arm.description;
  write_file_atomically(options.results / (arm.name + ".json"), object.dump(1) + "\n");
  print("stored " + (options.results / (arm.name + ".json")).string() + "\n");
  return true;
}

// A quick trial must not take the place of a night's work.
void require_no_better_table(const StudyArm& arm, const StudyOptions& options, int seeds) {
  if (options.force) return;
  const std::vector<Json> results = read_study_results(options.results);
  const Json* stored = find_arm(results, arm.name);
  if (stored == nullptr) return;
  const auto stored_sets = stored->at("sets_per_seed").get<std::int64_t>();
  const auto stored_seeds = static_cast<int>(stored->at("heads").size());
  if (options.sets >= stored_sets && seeds >= stored_seeds) return;
  throw UsageError((options.results / (arm.name + ".json")).string() + " rests on " +
                   std::to_string(stored_sets) + " sets and " + std::to_string(stored_seeds) +
                   " seeds, more than the " + std::to_string(options.sets) + " and " +
                   std::to_string(seeds) +
                   " asked for; name another folder with --results, or "
                   "replace it with --force");
}

bool run_arm(const StudyArm& arm, const StudyOptions& options, Backend& backend,
             InterruptGuard& interrupt) {
  const int seeds = options.seeds > 0 ? std::min(options.seeds, arm.seeds) : arm.seeds;
  require_no_better_table(arm, options, seeds);
  const std::int64_t steps = arm.steps > 0 ? std::min(arm.steps, options.steps) : options.steps;
  const StudyTraining training{options.runs, steps, seeds, options.threads};
  const std::vector<Run> runs = options.no_training
                                    ? finished_study_heads(arm, training)
                                    : train_study_heads(backend, arm, training, interrupt);
  if (interrupt.interrupted()) return false;
  if (runs.empty()) {
    throw std::runtime_error(arm.name + ": no head in " + (options.runs / arm.heads).string() +
                             " has done " + std::to_string(steps) + " steps");
  }
  if (!options.heads.empty()) export_heads(arm, runs, options.heads);
  return evaluate_arm(arm, options, runs, backend, interrupt);
}

std::vector<StudyArm> chosen_arms(const StudyOptions& options) {
  std::vector<StudyArm> arms;
  for (const std::string& name : options.arms) {
    try {
      arms.push_back(study_arm(name));
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }
  if (!options.heads.empty() && arms.size() != 1) {
    throw UsageError("--heads takes the heads of one arm; " + std::to_string(arms.size()) +
                     " were named");
  }
  return arms;
}

int run_study(const StudyOptions& options) {
  const std::vector<StudyArm> arms = chosen_arms(options);
  std::error_code error;
  fs::create_directories(options.results, error);
  if (error) throw FileError(options.results, error.message());
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  for (const StudyArm& arm : arms) {
    if (run_arm(arm, options, *backend, interrupt)) continue;
    print_error("interrupted and saved; the same command goes on");
    return interrupt.exit_code();
  }
  const std::vector<Json> results = read_study_results(options.results);
  if (results.empty()) {
    throw std::runtime_error(options.results.string() +
                             " holds no tables to write a page from; name an arm to make one, or "
                             "the folder with --results");
  }
  write_file_atomically(options.page, study_report(results));
  print("wrote " + options.page.string() + "\n");
  return 0;
}

constexpr const char* kFooter =
    "An arm's heads are trained in RUNS/NAME, where a run that was stopped goes on; its table is\n"
    "stored in RESULTS/NAME.json; then the page is written from all that is stored. Without an "
    "arm\n"
    "only the page is written, in a moment. --no-training evaluates heads with or without Adam's\n"
    "moments, and in place of missing files those inside the program that have the arm's recipe\n"
    "and --steps. Arms: default, bf16, default-in-bf16,\n"
    "default-in-bf16-priorities, bf16-in-fp32, half-all, full-all, decoupled, none, and "
    "spectral-20k\n"
    "and direct-20k, which train for at most 20000 steps.\n\n"
    "Examples:\n"
    "  dispersion_lab study\n"
    "  dispersion_lab study default --heads assets/heads\n"
    "  dispersion_lab study half-all decoupled none\n"
    "  dispersion_lab study default-in-bf16 --no-training";

}  // namespace

void add_study_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App& command = *app.add_subcommand(
      "study", "Train and evaluate what docs/table1.md is made of, and write that page");
  command.footer(kFooter);
  command.add_option("ARMS", options->arms, "Arms to train and evaluate");
  command.add_option("--runs", options->runs, "Folder of the heads in training")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("--results", options->results, "Folder of the stored tables")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("--page", options->page, "The page to write")
      ->type_name("FILE")
      ->capture_default_str();
  command
      .add_option("--heads", options->heads,
                  "Also put the arm's heads here, without Adam's moments, with histories")
      ->type_name("DIR");
  add_whole_option(command, "--steps", options->steps, kStepRange, "Training steps");
  add_whole_option(command, "--sets", options->sets, kSetsRange,
                   "Sets of every size for every head");
  add_whole_option(command, "--seeds", options->seeds, kSeedCountRange,
                   "At most so many seeds; 0: as many as the arm has");
  command.add_flag("--no-training", options->no_training,
                   "Take the heads that are trained already, or those inside the program");
  command.add_flag("--force", options->force,
                   "Replace stored tables that rest on more sets or seeds");
  add_whole_option(command, "--threads", options->threads, kThreadRange,
                   "Threads; 0: as many as the machine has. The results do not depend on it");
  command.callback([options, &exit_code] { exit_code = run_study(*options); });
}

}  // namespace dispersion

#include "app/commands/experiment_command.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/commands/backend_choice.h"
#include "app/commands/command_inputs.h"
#include "app/commands/commands.h"
#include "app/commands/experiment_output.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/shared_options.h"
#include "app/commands/text.h"
#include "core/cpu/cpu_backend.h"
#include "core/io/file.h"
#include "core/io/history_file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHelpWidth = 100;

// What the user gave on the command line: the settings of the experiment and the other options.
struct ExperimentOptions {
  explicit ExperimentOptions(const Experiment& chosen)
      : experiment(chosen), values(chosen.settings, SettingUse::kCommand) {}

  const Experiment& experiment;
  SettingValues values;
  std::vector<AttentionTransform> transforms;  // used if the experiment has such a setting
  fs::path checkpoint;
  std::vector<fs::path> checkpoints;
  std::uint32_t seed = 1;
  std::vector<fs::path> histories;
  std::string backend = "cpu";
  int threads = 0;
  bool json = false;
  bool csv = false;
  fs::path save;
};

// --- Options ---

std::vector<std::string> choice_names(const Setting& setting) {
  std::vector<std::string> names;
  for (const SettingChoice& choice : setting.choices)
    names.emplace_back(choice.name);
  return names;
}

WholeRange whole_range(const Setting& setting) {
  return {static_cast<std::int64_t>(setting.low), static_cast<std::int64_t>(setting.high)};
}

void add_setting(Subcommand& command, const Setting& setting, ExperimentOptions& options) {
  SettingValues& values = options.values;
  const std::string option = "--" + std::string(setting.name);
  const std::string help(setting.help);
  const std::string_view name = setting.name;
  switch (setting.kind) {
    case SettingKind::kWhole:
      command.add_whole(
          option, values.count(name), whole_range(setting),
          [&values, name](std::int64_t value) { values.set(name, static_cast<double>(value)); },
          help);
      return;
    case SettingKind::kReal:
      command.add_real(
          option, values.real(name),
          {setting.low, !setting.low_open, setting.high, !setting.high_open},
          [&values, name](double value) { values.set(name, value); }, help);
      return;
    case SettingKind::kFlag:
      command.add_flag(
          option, [&values, name] { values.set(name, 1); }, help);
      return;
    case SettingKind::kChoice:
      command.add_name(
          option, std::string(values.choice(name)), choice_names(setting),
          [&values, name](const std::string& value) { values.set(name, std::string_view(value)); },
          help + ": " + joined(choice_names(setting), ", "));
      return;
    case SettingKind::kTransforms:
      options.transforms = values.transforms();
      add_transforms_option(command, options.transforms, help + ": " + transform_names());
      return;
    case SettingKind::kSizes:
      command.add_whole_list(
          option, values.sizes(name), whole_range(setting),
          [&values, name](std::vector<int> sizes) { values.set(name, std::move(sizes)); }, help);
      return;
  }
}

void add_head_options(Subcommand& command, ExperimentOptions& options) {
  const HeadUse use = options.experiment.heads;
  if (use == HeadUse::kNone) return;
  if (use == HeadUse::kAll) {
    command.add_paths("--heads", "FILES", options.checkpoints,
                      "Heads to evaluate (default: the trained heads inside the program)");
    return;
  }
  if (use == HeadUse::kSeveral) {
    command.add_paths("--checkpoint", "FILE", options.checkpoints,
                      "Heads to measure (default: one inside the program)");
  } else {
    command.add_path("--checkpoint", "FILE", options.checkpoint,
                     "Head to measure (default: one inside the program)");
  }
  command.add_whole("--seed", options.seed, kSeedRange,
                    "The head inside the program that has this seed");
  command.exclude("--seed", {"--checkpoint"});
}

void add_output_options(Subcommand& command, ExperimentOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON object instead of tables");
  command.add_flag("--csv", options.csv, "Print the first table as comma-separated values");
  command.exclude("--csv", {"--json"});
  if (!options.experiment.stored) return;
  command.add_path("--save", "FILE", options.save,
                   "Write the result to this file too, in the form that the program carries");
}

// The text broken into lines of at most kHelpWidth characters.
std::string wrapped(std::string_view text) {
  std::string lines;
  while (text.size() > kHelpWidth) {
    const std::size_t space = text.substr(0, kHelpWidth).find_last_of(' ');
    lines.append(text.substr(0, space)).append("\n");
    text.remove_prefix(space + 1);
  }
  return lines.append(text);
}

std::string footer_of(const Experiment& experiment) {
  std::string text = wrapped(experiment.help) + "\n\nExamples:";
  for (const std::string_view example : experiment.examples)
    text.append("\n  dispersion_lab ").append(example);
  return text;
}

// --- Inputs ---

std::vector<ExperimentHead> chosen_heads(const ExperimentOptions& options) {
  std::vector<ExperimentHead> heads;
  if (options.experiment.heads == HeadUse::kAll && options.checkpoints.empty())
    return shipped_data().heads;
  for (const fs::path& file : options.checkpoints)
    heads.push_back(experiment_head(load_head(file)));
  if (options.checkpoints.empty()) {
    heads.push_back(experiment_head(options.checkpoint.empty() ? shipped_head(options.seed)
                                                               : load_head(options.checkpoint)));
  }
  // The shell lists seed10 before seed2, so the heads are sorted by seed.
  if (options.experiment.heads == HeadUse::kAll)
    std::ranges::stable_sort(heads, {},
                             [](const ExperimentHead& head) { return head.state->seed; });
  return heads;
}

std::vector<History> chosen_histories(const ExperimentOptions& options) {
  std::vector<History> histories;
  for (const fs::path& file : options.histories)
    histories.push_back(read_history(file));
  if (!options.histories.empty()) return histories;
  histories = shipped_data().histories;
  if (histories.empty()) {
    throw std::runtime_error(
        "no training histories are shipped with this build; name some with --history (train writes "
        "seedK.history.csv beside a head)");
  }
  return histories;
}

// Whether the user chose the heads of an experiment that also reads histories.
bool heads_given(const ExperimentOptions& options, const Subcommand& command) {
  const HeadUse use = options.experiment.heads;
  const bool one = use != HeadUse::kNone && use != HeadUse::kAll;
  return !options.checkpoints.empty() || (one && command.given("--seed"));
}

// The inputs of the experiment. If the user gave only heads, no histories are added, and the other
// way around.
ExperimentInputs inputs_of(const ExperimentOptions& options, const Subcommand& command) {
  const Experiment& experiment = options.experiment;
  const bool of_given_heads = heads_given(options, command);
  ExperimentInputs inputs;
  if (experiment.takes_head(options.values) && (options.histories.empty() || of_given_heads))
    inputs.heads = chosen_heads(options);
  if (experiment.histories && (!options.histories.empty() || !of_given_heads))
    inputs.histories = chosen_histories(options);
  return inputs;
}

// --- Checks of the options ---

// If the user named a head, sets --logits to head, since otherwise the head would not be used.
void take_head_choice(ExperimentOptions& options, const Subcommand& command) {
  if (options.experiment.heads != HeadUse::kByChoice) return;
  for (const char* option : {"--checkpoint", "--seed"}) {
    if (!command.given(option)) continue;
    if (command.given("--logits") && options.values.choice("logits") != "head")
      throw UsageError(std::string(option) + " goes with --logits head");
    options.values.set("logits", std::string_view("head"));
  }
}

void refuse_settings_without_effect(const ExperimentOptions& options, const Subcommand& command) {
  for (const Setting& setting : options.experiment.settings) {
    const std::string option = "--" + std::string(setting.name);
    if (!command.given(option)) continue;
    if (setting.of_heads && !heads_given(options, command))
      throw UsageError(option + " goes with --checkpoint or --seed");
    if (options.values.applies(setting)) continue;
    const SettingCondition& condition = setting.only_with;
    std::string values(condition.value);
    if (!condition.other_value.empty()) values.append(" or ").append(condition.other_value);
    throw UsageError(option + " goes with --" + std::string(condition.setting) + " " + values);
  }
}

void require_storable(const ExperimentOptions& options) {
  if (options.save.empty() || !options.experiment.why_not_stored) return;
  const std::string why_not = options.experiment.why_not_stored(options.values);
  if (!why_not.empty()) throw UsageError(why_not);
}

// --- Running ---

int run(ExperimentOptions options, const Subcommand& command) {
  const Experiment& experiment = options.experiment;
  if (experiment.takes_transforms()) options.values.set_transforms(options.transforms);
  take_head_choice(options, command);
  refuse_settings_without_effect(options, command);
  require_storable(options);
  const ExperimentInputs inputs = inputs_of(options, command);
  InterruptGuard interrupt;
  CommandBackends backends(options.backend, options.threads, interrupt.stop());
  ExperimentResult result;
  double share = 0;
  try {
    ProgressBar bar;
    const Progress progress = [&](double done) {
      share = done;
      if (bar.due()) bar.update(done, experiment.name);
      return !interrupt.interrupted();
    };
    result = run_experiment(experiment, options.values, inputs, backends, progress);
    if (!interrupt.interrupted()) share = 1;
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const ExperimentRun run = {experiment, options.values, inputs, backends.used(), share};
  print(options.json  ? json_line(result_json(run, result))
        : options.csv ? result_csv(result)
                      : result_text(run, result));
  if (!interrupt.interrupted()) {
    if (!options.save.empty()) write_file_atomically(options.save, result.stored_text());
    return 0;
  }
  print_error("interrupted; what was not computed by then is missing");
  return interrupt.exit_code();
}

void add_experiment_command(CommandLine& line, const Experiment& experiment) {
  auto options = std::make_shared<ExperimentOptions>(experiment);
  Subcommand& command =
      line.add_subcommand(std::string(experiment.name), experiment.summary_with_place());
  command.footer(footer_of(experiment));
  add_head_options(command, *options);
  if (experiment.histories) {
    command.add_paths("--history", "FILE", options->histories,
                      "Training histories to read (default: those of the shipped heads)");
  }
  for (const Setting& setting : experiment.settings)
    add_setting(command, setting, *options);
  if (experiment.uses_backend) {
    add_backend_option(command, options->backend);
    add_threads_option(command, options->threads);
  }
  add_output_options(command, *options);
  command.on_run([options, &command] { return run(*options, command); });
}

}  // namespace

Backend& CommandBackends::backend() {
  if (!backend_) backend_ = make_backend(name_, threads_, stop_);
  return *backend_;
}

SequenceBackend& CommandBackends::sequence_backend() {
  if (!sequence_backend_) sequence_backend_ = make_sequence_backend(name_, threads_);
  return *sequence_backend_;
}

std::string CommandBackends::used() const {
  if (backend_) return backend_->description();
  return sequence_backend_ ? sequence_backend_->description() : make_cpu_backend(1)->description();
}

void add_experiment_commands(CommandLine& line) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.place == ExperimentPlace::kEverywhere) add_experiment_command(line, experiment);
  }
}

}  // namespace dispersion

#include "app/commands/commands.h"

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands/backend_choice.h"
#include "app/commands/command_inputs.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/shared_options.h"
#include "app/commands/text.h"
#include "app/export/provenance.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/size_values.h"
#include "core/io/text.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

// Priorities are multiples of 2^-24, so a set with more items must have equal ones.
constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kSetsRange = {1, 1'000'000'000};
// Beyond these limits the results no longer change; within them division is safe.
constexpr RealRange kThetaRange = {.low = 1e-6, .high = 1e6};

struct EvaluateOptions {
  std::filesystem::path checkpoint;
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 1024;
  double theta = 1;
  EvaluationSettings settings;
  std::vector<AttentionTransform> transforms = paper_transforms();
  std::uint32_t set_seed = 1;
  std::string backend = "cpu";
  int threads = 0;
  bool json = false;
  bool csv = false;
};

Json row_json(const SizeRow& row) {
  const Interval interval = wilson_interval(row.correct, row.sets);
  return {{"n", row.items},
          {"transform", transform_name(row.transform.id)},
          {"sets", row.sets},
          {"accuracy", row.accuracy()},
          {"accuracy_low", interval.low},
          {"accuracy_high", interval.high},
          {"entropy", row.mean_entropy()},
          {"weight_on_max", row.mean_weight_on_max()},
          {"argmax_correct", row.argmax_accuracy()},
          {"maximum_tied", row.tied_share()},
          {"logit_spread", row.mean_logit_spread()}};
}

Json table_json(const EvaluateOptions& options, const HeadSource& head, const Backend& backend,
                const std::vector<SizeRow>& rows) {
  Json object = {{"command", "evaluate"}, {"checkpoint", head.name}};
  object.update(head_provenance_json(head.checkpoint.recipe, head.checkpoint.state,
                                     head.checkpoint.has_run, steps_before_in(head.checkpoint)));
  object["theta"] = options.theta;
  object["transforms"] = Json::array();
  for (const AttentionTransform& transform : options.transforms)
    object["transforms"].push_back(transform_text(transform));
  object["backend_note"] = cpu_transforms_remark(backend, options.transforms);
  object["set_seed"] = options.set_seed;
  object["evaluation_path"] = head_path_name(options.settings.path);
  object["evaluation_precision"] = precision_name(options.settings.precision);
  object.update(build_provenance_json(backend.description()));
  object["rows"] = Json::array();
  for (const SizeRow& row : rows)
    object["rows"].push_back(row_json(row));
  return object;
}

std::string rows_csv(const std::vector<SizeRow>& rows) {
  std::vector<Json> objects;
  for (const SizeRow& row : rows)
    objects.push_back(row_json(row));
  return csv_text(objects);
}

std::string row_text(const SizeRow& row) {
  constexpr std::array<int, 6> kWidths = {10, 16, 10, 15, 17, 14};
  const std::vector<Statement> cells = evaluation_cells(row);
  std::string text = align_right(cells[0].text(), 9) + "  " + align_left(cells[1].text(), 11);
  // Two spaces stand between columns even where a number is wider than its column.
  for (std::size_t i = 0; i < kWidths.size(); ++i)
    text += "  " + align_right(cells[i + 2].text(), kWidths[i] - 2);
  return text + "\n";
}

std::string table_text(const EvaluateOptions& options, const HeadSource& head,
                       const std::vector<SizeRow>& rows) {
  std::string text = head_line(experiment_head(head));
  if (head.checkpoint.has_run) text += "recipe: " + recipe_text(head.checkpoint.recipe) + "\n";
  text += std::to_string(options.sets) + (options.sets == 1 ? " set" : " sets") +
          " of every size from seed " + std::to_string(options.set_seed) +
          ", temperature theta = " + Json(options.theta).dump() + ", computed in " +
          std::string(precision_name(options.settings.precision)) + "\n\n" +
          "        n  transform    accuracy   95 % interval   entropy  weight on max"
          "   argmax correct  logit spread\n";
  for (const SizeRow& row : rows)
    text += row_text(row);
  const Statement ties = tied_sets_text(rows);
  return text + (ties.empty() ? "" : "\n" + ties.text());
}

std::vector<SizeRow> evaluate(Backend& backend, const EvaluateOptions& options,
                              const HeadSource& head, InterruptGuard& interrupt) {
  ProgressBar bar;
  std::vector<SizeRow> rows = evaluate_sizes(
      backend, head.checkpoint.state.parameters, options.set_seed, options.sizes, options.sets,
      options.transforms,
      [&](double share) {
        bar.update(share, "evaluating");
        return !interrupt.interrupted();
      },
      options.settings);
  std::erase_if(rows, [](const SizeRow& row) { return row.sets == 0; });
  for (const SizeRow& row : rows)
    require_finite(head.name, row);
  return rows;
}

int run_evaluate(EvaluateOptions options) {
  options.settings.path = path_in(options.settings.precision, options.settings.path);
  for (AttentionTransform& transform : options.transforms) {
    if (transform_definition(transform.id).has_theta) transform.theta = options.theta;
  }
  const HeadSource head = load_head(options.checkpoint);
  require_finite_attention(head.name, head.checkpoint.state.parameters);
  InterruptGuard interrupt;
  const auto backend = make_backend(options.backend, options.threads, interrupt.stop());
  const std::vector<SizeRow> rows = evaluate(*backend, options, head, interrupt);
  print(options.json  ? json_line(table_json(options, head, *backend, rows))
        : options.csv ? rows_csv(rows)
                      : table_text(options, head, rows));
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the last size may have fewer sets, later ones are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "entropy is in nats; weight on max is the attention on the item with the largest priority;\n"
    "argmax correct says how often the largest logit (the first of equal ones) sits on that item;\n"
    "logit spread is the largest minus the smallest logit. The interval is Wilson's. With "
    "precision\n"
    "bf16 or fp16 the path is direct; labels come from unrounded priorities.\n\n"
    "Examples:\n"
    "  dispersion_lab evaluate\n"
    "  dispersion_lab evaluate --checkpoint runs/default/seed1.safetensors --sizes 16,1024 --json\n"
    "  dispersion_lab evaluate --theta 0.5 --transforms softmax,top-k:k=8 --sets 4096";

}  // namespace

void add_evaluate_command(CommandLine& line) {
  auto options = std::make_shared<EvaluateOptions>();
  Subcommand& command = line.add_subcommand(
      "evaluate",
      "Measure a head at growing set sizes, under softmax, adaptive temperature and others");
  command.footer(kFooter);
  command.add_path("--checkpoint", "FILE", options->checkpoint,
                   "Head to evaluate (default: the trained head inside the program)");
  command.add_whole_list("--sizes", options->sizes, kSizeRange, "Items per set");
  command.add_whole("--sets", options->sets, kSetsRange, "Sets of every size");
  command.add_real("--theta", options->theta, kThetaRange,
                   "Temperature theta; the adaptive rule acts on logits / theta");
  add_path_option(command, options->settings.path);
  add_precision_option(command, options->settings.precision);
  add_transforms_option(command, options->transforms,
                        "From logits to weights: " + transform_names());
  command.add_whole("--seed", options->set_seed, kSeedRange, "Seed of the sets");
  add_backend_option(command, options->backend);
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print CSV, a line per size and transform");
  command.exclude("--csv", {"--json"});
  command.on_run([options] { return run_evaluate(*options); });
}

}  // namespace dispersion

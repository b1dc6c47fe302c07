#include "app/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands/backend_choice.h"
#include "app/commands/head_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/recipe_options.h"
#include "app/commands/table_evaluation.h"
#include "app/commands/table_output.h"
#include "app/commands/transform_options.h"
#include "core/build_info.h"
#include "core/io/file.h"
#include "core/io/stored_table.h"

namespace dispersion {
namespace {

// Priorities lie on a grid of 2^-24: in larger sets equal ones are certain.
constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kSetsRange = {0, 1'000'000'000};

struct TableOptions {
  std::vector<std::filesystem::path> heads;
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 0;
  std::vector<AttentionTransform> transforms = table_transforms();
  EvaluationSettings evaluation;
  std::string backend = "cpu";
  int threads = 0;
  bool json = false;
  bool csv = false;
  std::filesystem::path save;
};

std::vector<HeadSource> chosen_heads(const TableOptions& options) {
  if (options.heads.empty()) return shipped_heads();
  std::vector<HeadSource> heads;
  for (const std::filesystem::path& file : options.heads)
    heads.push_back(load_head(file));
  // As the shell lists files, seed10 comes before seed2.
  std::ranges::stable_sort(heads, {},
                           [](const HeadSource& head) { return head.checkpoint.state.seed; });
  return heads;
}

// Softmax is always evaluated, because the others are compared with it.
TableInputs table_inputs(const TableOptions& options) {
  TableInputs inputs;
  inputs.heads = chosen_heads(options);
  inputs.settings.sizes = options.sizes;
  inputs.settings.evaluation = options.evaluation;
  // Rounding does not re-associate.
  if (options.evaluation.precision != Precision::kFloat) {
    inputs.settings.evaluation.path = HeadPath::kDirect;
  }
  inputs.settings.sets =
      options.sets > 0 ? options.sets : default_table_sets(static_cast<int>(inputs.heads.size()));
  inputs.settings.transforms = {usual_transform(TransformId::kSoftmax)};
  for (const AttentionTransform& transform : options.transforms) {
    inputs.shown.push_back(transform.id);
    if (transform.id != TransformId::kSoftmax) inputs.settings.transforms.push_back(transform);
  }
  return inputs;
}

void save(const TableRun& run, const TableInputs& inputs, const Backend& backend,
          const std::filesystem::path& file) {
  StoredTable stored = {std::string(build_info().commit), backend.description(), {}, run};
  for (const HeadSource& head : inputs.heads)
    stored.run_hashes.push_back(run_hash(head.checkpoint.recipe, head.checkpoint.state));
  write_file_atomically(file, stored_table_json(stored));
}

// A stored table says nothing of transforms and settings: it has the usual ones.
bool is_usual(const TableSettings& settings) {
  const EvaluationSettings usual;
  return settings.transforms == table_transforms() && settings.evaluation.path == usual.path &&
         settings.evaluation.precision == usual.precision;
}

int run_table(const TableOptions& options) {
  if (options.json && options.csv) throw UsageError("choose one of --json and --csv");
  const TableInputs inputs = table_inputs(options);
  if (!options.save.empty() && !is_usual(inputs.settings))
    throw UsageError("--save goes with softmax, adaptive and hard, the spectral path and fp32");
  InterruptGuard interrupt;
  const auto backend = make_backend(options.backend, options.threads);
  const TableRun run = evaluate_table_run(inputs, *backend, interrupt, "evaluating");
  const TableOne table = summarise_table(run);
  print(options.json  ? json_line(table_json(inputs, table, *backend))
        : options.csv ? table_csv(inputs, table)
                      : table_text(inputs, table));
  if (!interrupt.interrupted()) {
    if (!options.save.empty()) save(run, inputs, *backend, options.save);
    return 0;
  }
  print_error("interrupted; the last size may have fewer sets or heads, later ones are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "Every head is evaluated on sets of its own, under all transforms on the same sets. A head's\n"
    "sets are the evaluation sets of the head's seed. The interval is Student's over the seeds'\n"
    "accuracies, p the paired t-test of a transform against softmax over the seeds, McNemar the\n"
    "exact test over all sets. By default there are as many sets as make a pooled share certain\n"
    "to half a point.\n\n"
    "Examples:\n"
    "  dispersion_lab table\n"
    "  dispersion_lab table --json --sets 1024 > table.json\n"
    "  dispersion_lab table --sizes 16,1024 --transforms softmax,sparsemax,top-k:k=8\n"
    "  dispersion_lab table --heads runs/default/seed*.safetensors --sizes 16,1024";

}  // namespace

void add_table_command(CommandLine& line) {
  auto options = std::make_shared<TableOptions>();
  Subcommand& command = line.add_subcommand(
      "table", "Make the paper's Table 1 from several heads, beside the paper's numbers");
  command.footer(kFooter);
  command.add_paths("--heads", "FILES", options->heads,
                    "Heads to evaluate (default: the trained heads inside the program)");
  command.add_whole_list("--sizes", options->sizes, kSizeRange, "Items per set");
  command.add_whole("--sets", options->sets, kSetsRange,
                    "Sets of every size for every head; 0: as many as half a point needs");
  add_transforms_option(command, options->transforms, "Rows to show: " + transform_names());
  add_path_option(command, options->evaluation.path);
  add_precision_option(command, options->evaluation.precision);
  add_backend_option(command, options->backend);
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print comma-separated values instead of a table");
  command.add_path("--save", "FILE", options->save,
                   "Write the sums of every cell to this file too, as assets/table.json has them");
  command.on_run([options] { return run_table(*options); });
}

}  // namespace dispersion

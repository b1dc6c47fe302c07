#include "app/commands/commands.h"

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
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/precision_comparison.h"
#include "core/figure/number_text.h"
#include "core/figure/precision_figure.h"
#include "core/io/file.h"
#include "core/io/stored_precision.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

constexpr WholeRange kSizeRange = {1, 1 << 20};
constexpr WholeRange kSetsRange = {1, 1'000'000};

struct PrecisionOptions {
  std::filesystem::path checkpoint;
  PrecisionSettings settings;
  int threads = 0;
  bool json = false;
  bool csv = false;
  std::filesystem::path save;
};

Json row_json(const PrecisionRow& row) {
  const SizeRow& measured = row.measured;
  const Interval interval = wilson_interval(measured.correct, measured.sets);
  const PaperColumn* paper = paper_column(measured.items);
  return {{"n", measured.items},
          {"precision", precision_name(row.precision)},
          {"sets", measured.sets},
          {"accuracy", measured.accuracy()},
          {"accuracy_low", interval.low},
          {"accuracy_high", interval.high},
          {"argmax_correct", measured.argmax_accuracy()},
          {"entropy", measured.mean_entropy()},
          {"weight_on_max", measured.mean_weight_on_max()},
          {"perfect_argmax", row.perfect_accuracy},
          {"paper_accuracy", paper != nullptr ? Json(paper->plain) : Json()}};
}

Json result_json(const PrecisionOptions& options, const HeadSource& head, const Backend& backend,
                 const std::vector<PrecisionRow>& rows) {
  Json object = {{"command", "precision"}, {"checkpoint", head.name}};
  object.update(head_provenance(head.checkpoint.recipe, head.checkpoint.state));
  object["set_seed"] = options.settings.seed;
  object.update(build_provenance(backend));
  object["rows"] = Json::array();
  for (const PrecisionRow& row : rows)
    object["rows"].push_back(row_json(row));
  object["sentence"] = with_plain_spaces(precision_figure(rows).sentence);
  return object;
}

std::string result_text(const PrecisionOptions& options, const HeadSource& head,
                        const std::vector<PrecisionRow>& rows) {
  std::string text = "head: " + head.name + ", " + std::to_string(options.settings.sets) +
                     " sets of every size, plain softmax\n\n        n  precision"
                     "        accuracy   argmax  entropy  perfect    paper\n";
  const auto percent = [](double share) { return align_right(fixed_text(100 * share, 1), 9); };
  for (const PrecisionRow& row : rows) {
    const PaperColumn* paper = paper_column(row.measured.items);
    text += align_right(std::to_string(row.measured.items), 9) + "  " +
            align_left(precision_name(row.precision), 15) + percent(row.measured.accuracy()) +
            percent(row.measured.argmax_accuracy()) +
            align_right(fixed_text(row.measured.mean_entropy(), 3), 9) +
            percent(row.perfect_accuracy) +
            (paper != nullptr ? percent(paper->plain) : align_right("-", 9)) + "\n";
  }
  return text + "\n" + precision_figure(rows).sentence + "\n";
}

void save(const PrecisionOptions& options, const HeadSource& head, const Backend& backend,
          const std::vector<PrecisionRow>& rows) {
  const Checkpoint& checkpoint = head.checkpoint;
  write_file_atomically(
      options.save, stored_precision_line({std::string(build_info().commit), backend.description(),
                                           run_hash(checkpoint.recipe, checkpoint.state),
                                           options.settings, rows}));
}

int run_precision(const PrecisionOptions& options) {
  const HeadSource head = load_head(options.checkpoint);
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  ProgressBar bar;
  const std::vector<PrecisionRow> rows =
      compare_precisions(*backend, head.checkpoint.state.parameters, options.settings,
                         [&](double share, std::span<const PrecisionRow>) {
                           bar.update(share, "comparing");
                           return !interrupt.interrupted();
                         });
  if (options.csv) {
    std::vector<Json> lines;
    for (const PrecisionRow& row : rows)
      lines.push_back(row_json(row));
    print(csv_text(lines));
  } else if (options.json) {
    print(json_line(result_json(options, head, *backend, rows)));
  } else {
    print(result_text(options, head, rows));
  }
  if (!interrupt.interrupted()) {
    if (!options.save.empty()) save(options, head, *backend, rows);
    return 0;
  }
  print_error("interrupted; the larger sizes are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "Every size is evaluated on the same sets in fp32, with priorities rounded to bf16, and with\n"
    "the inputs of every matrix product rounded to bf16 and to fp16. Labels come from unrounded\n"
    "priorities. argmax: share of sets whose largest logit sits on the maximum. perfect: accuracy\n"
    "of one who takes an item with the largest rounded priority and answers its class.\n\n"
    "Examples:\n"
    "  dispersion_lab precision\n"
    "  dispersion_lab precision --sizes 16,1024 --sets 1024 --json";

}  // namespace

void add_precision_command(CommandLine& line) {
  auto options = std::make_shared<PrecisionOptions>();
  Subcommand& command =
      line.add_subcommand("precision", "What rounding to bf16 and fp16 does to a head");
  command.footer(kFooter);
  command.add_path("--checkpoint", "FILE", options->checkpoint,
                   "Head to measure (default: the trained head inside the program)");
  PrecisionSettings& settings = options->settings;
  command.add_whole_list("--sizes", settings.sizes, kSizeRange, "Items per set");
  command.add_whole("--sets", settings.sets, kSetsRange, "Sets of every size");
  command.add_whole("--seed", settings.seed, kSeedRange, "Seed of the sets");
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print CSV, a line per size and precision");
  command.exclude("--csv", {"--json"});
  command.add_path(
      "--save", "FILE", options->save,
      "Write the sums of every row to this file too, as assets/precision.jsonl has them");
  command.on_run([options] { return run_precision(*options); });
}

}  // namespace dispersion

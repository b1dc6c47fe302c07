#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/attention/transforms.h"
#include "core/build_info.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/table_columns.h"
#include "core/experiment/table_summary.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/figure/table_text.h"
#include "core/io/stored_results.h"

namespace dispersion {
namespace {

std::vector<Setting> settings() {
  return {
      sizes_setting(),
      {.name = "sets",
       .label = "sets of every size",
       .help = "Sets of every size for every head; all transforms see the same ones. 0: as many as "
               "make a "
               "share over all heads uncertain by half a point at most",
       .low = 0,
       .high = 1'000'000'000,
       .value = 0,
       .shown_value = static_cast<double>(default_table_sets(10))},  // of the ten shipped heads
      transforms_setting(table_transforms(),
                         "Rows to show; each transform is compared with plain softmax"),
      {.name = "path",
       .help = "How items are computed",
       .kind = SettingKind::kChoice,
       .choices = {{"spectral", "spectral"}, {"direct", "direct"}}},
      {.name = "precision",
       .label = "precision",
       .help = "What is rounded in evaluation: the inputs of products, or the priorities alone. "
               "Rounded products take the direct path, which is slow",
       .kind = SettingKind::kChoice,
       .choices = {{"fp32", "fp32"},
                   {"bf16", "bf16"},
                   {"fp16", "fp16"},
                   {"bf16-priorities", "bf16-priorities"},
                   {"fp16-priorities", "fp16-priorities"}}},
  };
}

// Softmax is always evaluated, because the others are compared with it.
TableSettings settings_of(const SettingValues& values, std::size_t heads) {
  TableSettings settings;
  settings.sizes = values.sizes("sizes");
  settings.evaluation.precision = precision_from_name(values.choice("precision"));
  settings.evaluation.path =
      path_in(settings.evaluation.precision, head_path_from_name(values.choice("path")));
  const std::int64_t sets = values.count("sets");
  settings.sets = sets > 0 ? sets : default_table_sets(static_cast<int>(heads));
  settings.transforms = compared_transforms(values);
  return settings;
}

// Whether heads are evaluated as in stored tables, which do not record how.
bool is_evaluated_as_stored(const SettingValues& values) {
  return values.choice("path") == "spectral" && values.choice("precision") == "fp32";
}

// Whether everything that a stored table does not record is as stored tables have it.
bool is_usual(const SettingValues& values) {
  return compared_transforms(values) == table_transforms() && is_evaluated_as_stored(values);
}

bool is_stored(const StoredResults& stored, const TableSettings& settings,
               const SettingValues& values) {
  return stored.table && is_usual(values) && stored.table->settings.sets == settings.sets &&
         stored.table->settings.sizes == settings.sizes;
}

// What the table was computed from, with what a stored table has as usual only where it is not.
Provenance provenance_of(const TableRun& run, const std::string& stored) {
  std::string seeds;
  for (const std::uint32_t seed : run.seeds)
    seeds.append(" ").append(std::to_string(seed));
  Provenance all = {{"heads", "shipped, seeds" + seeds},
                    {"sets", std::to_string(run.settings.sets) + " of every size for every head"}};
  const Precision precision = run.settings.evaluation.precision;
  if (precision != Precision::kFloat)
    all.emplace_back("precision", std::string(precision_name(precision)));
  if (!stored.empty()) all.emplace_back("stored", stored);
  return all;
}

Figure figure_of(const TableRun& run, const std::string& stored = "") {
  Figure figure = table_figure(summarise_table(run));
  figure.provenance = provenance_of(run, stored);
  return figure;
}

// The figure of a run that is not finished, with the stored cells that it will compute again.
Figure partial_figure(const TableRun& run, const StoredResults& stored) {
  if (!stored.table) return figure_of(run);
  Figure figure = table_figure(summarise_table(run, *stored.table));
  figure.provenance = provenance_of(run, stored.table_provenance);
  return figure;
}

// Throws as require_finite for the first row of a head that is not.
void require_finite(const TableRun& run, const std::vector<ExperimentHead>& heads) {
  for (std::size_t cell = 0; cell < run.tallies.size(); ++cell) {
    for (const SizeRow& row : run.tallies[cell].rows)
      require_finite(heads[cell % heads.size()].name, row);
  }
}

// A run that was stopped, and the backend that counted it: another one must not go on with it.
struct UnfinishedTable {
  std::string backend;
  TableRun run;
};

// Goes on with the run that was stopped before, if there is one. Shows a new figure whenever
// another cell is finished, with what is in `stored` where cells are not finished yet.
TableRun evaluate(const TableSettings& settings, const ExperimentInputs& inputs,
                  const StoredResults& stored, Backend& backend, const Progress& keep_going,
                  const ShowFigure& show) {
  std::vector<TableHead> heads;
  for (const ExperimentHead& head : inputs.heads)
    heads.push_back({head.state->seed, head.state->parameters, head.has_run});
  std::any own;
  std::any& kept = inputs.unfinished ? *inputs.unfinished : own;
  auto* before = std::any_cast<UnfinishedTable>(&kept);
  if (before == nullptr || before->backend != backend.description())
    before = &kept.emplace<UnfinishedTable>(
        UnfinishedTable{backend.description(), start_table(heads, settings)});
  TableRun& run = before->run;
  std::size_t shown = 0;
  while (advance_table(run, heads, backend)) {
    const auto finished = static_cast<std::size_t>(std::ranges::count_if(
        run.tallies, [&](const TableTally& tally) { return tally.sets >= run.settings.sets; }));
    if (finished != shown || finished == 0) show(partial_figure(run, stored));
    shown = finished;
    if (!keep_going(share_done(run))) break;
  }
  require_finite(run, inputs.heads);
  return run;
}

// "seeds 1, 2, unknown"
std::string seeds_text(const std::vector<ExperimentHead>& heads) {
  std::string text;
  for (const ExperimentHead& head : heads) {
    if (!text.empty()) text.append(", ");
    text.append(head.has_run ? std::to_string(head.state->seed) : "unknown");
  }
  return (heads.size() == 1 ? "seed " : "seeds ") + text;
}

// Which sets a head of an unknown seed gets, beside those of the others.
std::string set_seed_text(const std::vector<ExperimentHead>& heads) {
  const bool all_known = std::ranges::all_of(heads, &ExperimentHead::has_run);
  return all_known ? "that of the head"
                   : "that of the head, or " + std::to_string(TrainingState().seed) +
                         " where that is unknown";
}

std::vector<Statement> introduction(const TableSettings& settings,
                                    const std::vector<ExperimentHead>& heads,
                                    const TableOne& table) {
  return {Statement::naming("heads: " + std::to_string(heads.size()) + ", " + seeds_text(heads) +
                            "; " + std::to_string(settings.sets) +
                            (settings.sets == 1 ? " set" : " sets") + " of every size per head, " +
                            std::string(precision_name(settings.evaluation.precision))),
          shares_note(table),
          "H: entropy of the weights, nats; off: rows of softmax with H > " +
              Statement::number({.what = "entropy where the rule is off",
                                 .value = table.window_end,
                                 .shown = fixed_text(table.window_end, 4)}) +
              ", where the rule is off"};
}

std::function<std::string()> stored_form(const TableRun& run, const ExperimentInputs& inputs,
                                         const std::string& backend) {
  StoredTable stored = {std::string(build_info().commit), backend, {}, run};
  for (const ExperimentHead& head : inputs.heads)
    stored.run_hashes.push_back(run_hash(head.recipe, *head.state));
  return [stored] { return stored_table_json(stored); };
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress,
                     const ShowFigure& show) {
  const TableSettings settings = settings_of(values, inputs.heads.size());
  const bool stored = is_stored(inputs.stored, settings, values);
  const bool comparable = is_evaluated_as_stored(values) && inputs.stored.table &&
                          inputs.stored.table->settings.sets == settings.sets;
  const StoredResults usable = comparable ? inputs.stored : StoredResults();
  const TableRun table =
      stored ? *inputs.stored.table
             : evaluate(settings, inputs, usable, backends.backend(), progress, show);
  const TableOne summary = summarise_table(table);
  const std::vector<AttentionTransform>& shown = values.transforms();
  ExperimentResult result;
  result.introduction = introduction(settings, inputs.heads, summary);
  result.facts = {
      {"sets_per_seed", settings.sets},
      {"set_seed", set_seed_text(inputs.heads)},
      {"evaluation_path", std::string(head_path_name(settings.evaluation.path))},
      {"evaluation_precision", std::string(precision_name(settings.evaluation.precision))},
      {"window_end", summary.window_end}};
  result.tables = {accuracy_rows(summary, shown), gain_rows(summary, shown)};
  result.sentences = table_sentences(summary);
  result.figure = figure_of(table, stored ? inputs.stored.table_provenance : "");
  if (!stored && is_usual(values))
    result.stored_text = stored_form(table, inputs, backends.backend().description());
  return result;
}

}  // namespace

Experiment table_experiment() {
  return {
      .name = "table",
      .title = "Table 1",
      .summary = "Accuracy at every n with and without adaptive temperature, beside the paper's",
      .paper_place = "Table 1",
      .help =
          "Every head is evaluated on sets of its own, under all transforms on the same sets. A "
          "head's sets are the evaluation sets of the head's seed, or of seed 1 where a file does "
          "not tell it; heads that share their sets are not independent, and get no interval and "
          "no p. The interval is Student's over the seeds' accuracies, p the paired t-test of a "
          "transform against softmax over the seeds, each by itself and not corrected for the "
          "others, McNemar the exact test over all sets of these heads. By default there are as "
          "many sets as make a pooled share certain to half a point.",
      .examples = {"table", "table --json --sets 1024 > table.json",
                   "table --sizes 16,1024 --transforms softmax,sparsemax,top-k:k=8",
                   "table --heads runs/default/seed*.safetensors --sizes 16,1024"},
      .heads = HeadUse::kAll,
      .stored = true,
      .figure_has_table = true,
      .figure_has_parts = true,
      .settings = settings(),
      .why_not_stored =
          [](const SettingValues& values) {
            return is_usual(values)
                       ? ""
                       : "--save goes with softmax, adaptive and hard, the spectral path and fp32";
          },
      .run = run,
  };
}

}  // namespace dispersion

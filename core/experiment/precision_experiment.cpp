#include <algorithm>
#include <string>

#include "core/build_info.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/precision_comparison.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/io/stored_results.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

PrecisionSettings settings_of(const SettingValues& values) {
  PrecisionSettings settings;
  settings.seed = values.seed("set-seed");
  settings.sizes = values.sizes("sizes");
  settings.sets = values.count("sets");
  return settings;
}

// The stored result of this very head with these very settings; null: there is none.
const StoredPrecision* find_stored(const StoredResults& results, const ExperimentHead& head,
                                   const PrecisionSettings& settings) {
  if (results.precisions.empty()) return nullptr;
  const std::string hash = run_hash(head.recipe, *head.state);
  const auto found = std::ranges::find_if(results.precisions, [&](const StoredPrecision& stored) {
    return stored.run_hash == hash && stored.settings == settings;
  });
  return found == results.precisions.end() ? nullptr : &*found;
}

ResultTable rows_table(const std::vector<PrecisionRow>& rows) {
  using Row = PrecisionRow;
  constexpr NumberForm kShare = NumberForm::kPercent;
  const auto interval = [](const Row& r) {
    return wilson_interval(r.measured.correct, r.measured.sets);
  };
  const auto paper = [](const Row& r) -> ResultValue {
    const PaperColumn* column = paper_column(r.measured.items);
    return column != nullptr ? ResultValue(column->plain) : ResultValue();
  };
  const std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.measured.items}; }},
      {{"precision", "precision", NumberForm::kName},
       [](const Row& r) { return std::string(precision_name(r.precision)); }},
      {{"sets", ""}, [](const Row& r) { return r.measured.sets; }},
      {{"accuracy", "accuracy %", kShare, 1}, [](const Row& r) { return r.measured.accuracy(); }},
      {{"accuracy_low", ""}, [=](const Row& r) { return interval(r).low; }},
      {{"accuracy_high", ""}, [=](const Row& r) { return interval(r).high; }},
      {{"argmax_correct", "argmax %", kShare, 1},
       [](const Row& r) { return r.measured.argmax_accuracy(); }},
      {{"entropy", "entropy", NumberForm::kFixed, 3},
       [](const Row& r) { return r.measured.mean_entropy(); }},
      {{"weight_on_max", ""}, [](const Row& r) { return r.measured.mean_weight_on_max(); }},
      {{"perfect_argmax", "perfect %", kShare, 1}, [](const Row& r) { return r.perfect_accuracy; }},
      {{"paper_accuracy", "paper %", kShare, 1}, paper}};
  ResultTable table = result_table("rows", columns, rows);
  if (!rows.empty()) table.notes = {precision_figure(rows).sentence};
  return table;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress,
                     const ShowFigure& show) {
  const ExperimentHead& head = inputs.heads.front();
  const PrecisionSettings settings = settings_of(values);
  const StoredPrecision* stored = find_stored(inputs.stored, head, settings);
  const auto compared = [&] {
    return compare_precisions(
        backends.backend(), head.state->parameters, settings, progress,
        [&](std::span<const PrecisionRow> rows) { show(precision_figure(rows)); });
  };
  const std::vector<PrecisionRow> rows = stored != nullptr ? stored->rows : compared();
  for (const PrecisionRow& row : rows)
    require_finite(head.name, row.measured);
  ExperimentResult result;
  result.introduction = {Statement::naming(counted_text(settings.sets, "set")) +
                         " of every size, plain softmax"};
  result.tables = {rows_table(rows)};
  result.figure = precision_figure(rows);
  if (stored != nullptr) {
    result.figure.provenance = {{"stored", stored_text(stored->commit, stored->backend)}};
    return result;
  }
  result.stored_text = [=, hash = run_hash(head.recipe, *head.state),
                        backend = backends.backend().description()] {
    return stored_precision_line({std::string(build_info().commit), backend, hash, settings, rows});
  };
  return result;
}

}  // namespace

Experiment precision_experiment() {
  return {
      .name = "precision",
      .title = "Precision",
      .summary = "What rounding to bf16 and fp16 does to a head, on the same sets",
      .paper_place = kBeyondPaper,
      .help =
          "Every size is evaluated on the same sets in fp32, with priorities rounded to bf16, "
          "and with the inputs of every matrix product rounded to bf16 and to fp16. Labels come "
          "from unrounded priorities. argmax: share of sets whose largest logit sits on the "
          "maximum. perfect: accuracy of one who sees the priorities as the precision holds them, "
          "takes an item with the largest, at random where several tie, and answers its class; in "
          "fp32 priorities keep their 24 bits and tie too where n is large. Entropies are in nats.",
      .examples = {"precision", "precision --sizes 16,1024 --sets 1024 --json"},
      .theory = true,
      .heads = HeadUse::kOne,
      .stored = true,
      .figure_has_table = true,
      .settings = {sizes_setting(),
                   sets_setting(256, 1'000'000,
                                "Sets of every size; every precision sees the same ones"),
                   set_seed_setting()},
      .run = run,
  };
}

}  // namespace dispersion

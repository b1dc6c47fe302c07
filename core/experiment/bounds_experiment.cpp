#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "core/experiment/bounds.h"
#include "core/experiment/corollary.h"
#include "core/experiment/experiment_table.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

Setting class_setting(std::string_view name, std::string_view label, std::string_view help,
                      double value) {
  return {.name = name, .label = label, .help = help, .low = 0, .high = 9, .value = value};
}

Setting priority_setting(std::string_view name, std::string_view label, std::string_view help,
                         double value) {
  return {.name = name,
          .label = label,
          .help = help,
          .kind = SettingKind::kReal,
          .low = 0,
          .high = 1,
          .value = value};
}

std::vector<Setting> settings() {
  std::vector<Setting> all = {
      sizes_setting(),
      {.name = "theta",
       .label = "temperature θ",
       .help = "Temperature theta: weights are softmax(logits / theta)",
       .kind = SettingKind::kReal,
       .low = 1e-6,
       .high = 1e6,
       .value = 1,
       .of_view = true},
      sets_setting(32, 100'000, "Sets of every n whose weights are measured"),
      set_seed_setting(),
      {.name = "slope-items",
       .help = "Items per set for dH/dbeta",
       .low = 1,
       .high = kLargestSize,
       .value = 1024},
      priority_setting("rho-a", "priority of a",
                       "Priority of the one item a in the set {a, b, b, ...} of the corollary "
                       "(appendix B)",
                       0.8),
      priority_setting("rho-b", "priority of b",
                       "Priority of its n - 1 equal items b, below that of a", 0.2),
      class_setting("class-a", "class of a", "Class of a", 0),
      class_setting("class-b", "class of b", "Class of b", 1),
      priority_setting("query", "query", "Query of that set", 0.5),
  };
  all[5].section = "The set {a, b, b, …}";
  all[5].above = "rho-b";
  return all;
}

CorollaryPair pair_of(const SettingValues& values) {
  return {values.real("rho-a"),    values.real("rho-b"), values.whole("class-a"),
          values.whole("class-b"), values.real("query"), values.real("theta")};
}

// After a stop: the rows of the sizes that were finished, and no slopes.
struct Measured {
  std::vector<BoundsRow> rows;
  std::vector<EntropySlope> slopes;
};

Measured measure(const Parameters<float>& head, const SettingValues& values, Backend& backend,
                 const Progress& progress) {
  Measured measured;
  const int slope_items = values.whole("slope-items");
  std::vector<int> sizes = values.sizes("sizes");
  std::ranges::sort(sizes);
  double all = slope_items;
  for (const int size : sizes)
    all += size;
  double done = 0;
  const auto logits_of = [&](int size) {
    const Progress part = progress.part(done / all, (done + size) / all);
    done += size;
    return size_logits(backend, head, values.seed("set-seed"), size, values.whole("sets"), part);
  };
  // What follows the logits takes little time and counts as nothing.
  const auto rest = [&] { return progress.part(done / all, done / all); };
  for (const int size : sizes) {
    const SizeLogits logits = logits_of(size);
    if (progress.stopped()) return measured;
    const std::optional<BoundsRow> row = bounds_row(logits, values.real("theta"), rest());
    if (!row) return measured;
    measured.rows.push_back(*row);
  }
  const SizeLogits logits = logits_of(slope_items);
  if (!progress.stopped()) measured.slopes = entropy_slopes(logits, rest());
  if (progress.stopped()) measured.slopes.clear();
  return measured;
}

std::string printed(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3e", number);
  return text.data();
}

// A weight or a bound on one for people. None is 0 or infinite but for the end of doubles: n, by
// which the infinite exp(d) of a bound is divided, is below 10^8.
std::string printed_weight(double weight) {
  if (weight < 1e-308) return "<1e-308";
  return std::isinf(weight) ? ">1e+300" : printed(weight);
}

// Adds a column for JSON and CSV, and its text.
void add_weight(std::vector<ColumnOf<BoundsRow>>& columns, std::string_view key,
                std::string_view heading, const std::function<double(const BoundsRow&)>& weight) {
  columns.push_back({{key, ""}, weight});
  columns.push_back(
      {{"", heading}, [weight](const BoundsRow& row) { return printed_weight(weight(row)); }});
}

ResultTable rows_table(const std::vector<BoundsRow>& rows) {
  using Row = BoundsRow;
  std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.items}; }},
      {{"sets", ""}, [](const Row& r) { return std::int64_t{r.sets}; }},
      {{"delta", "logit spread", NumberForm::kFixed, 1}, [](const Row& r) { return r.delta; }},
      {{"mean_delta", ""}, [](const Row& r) { return r.mean_delta; }}};
  add_weight(columns, "lower", "lower", [](const Row& r) { return r.bounds.lower; });
  add_weight(columns, "sharp_lower", "sharp lower",
             [](const Row& r) { return r.bounds.sharp_lower; });
  add_weight(columns, "smallest_weight", "smallest",
             [](const Row& r) { return r.smallest_weight; });
  add_weight(columns, "largest_weight", "largest", [](const Row& r) { return r.largest_weight; });
  columns.push_back(
      {{"mean_largest_weight", ""}, [](const Row& r) { return r.mean_largest_weight; }});
  add_weight(columns, "sharp_upper", "sharp upper",
             [](const Row& r) { return r.bounds.sharp_upper; });
  add_weight(columns, "upper", "upper", [](const Row& r) { return r.bounds.upper; });
  columns.push_back({{"violations", ""}, [](const Row& r) { return std::int64_t{r.violations}; }});
  ResultTable table = result_table("rows", columns, rows);
  table.notes = {bounds_sentence(rows)};
  return table;
}

ResultTable slopes_table(const std::vector<EntropySlope>& slopes, int items) {
  using Row = EntropySlope;
  const std::vector<ColumnOf<Row>> columns = {
      {{"beta", "beta"}, [](const Row& r) { return r.beta; }},
      {{"entropy", "H"}, [](const Row& r) { return r.entropy; }},
      {{"formula", "formula"}, [](const Row& r) { return r.formula; }},
      {{"difference", "difference"}, [](const Row& r) { return r.difference; }}};
  ResultTable table = result_table("entropy_slope", columns, slopes);
  table.for_people = false;
  const ResultValue error =
      slopes.empty() ? ResultValue() : ResultValue(largest_slope_error(slopes));
  table.facts = {{"n", std::int64_t{items}}, {"largest_relative_error", error}};
  table.notes = {slope_sentence(slopes, items)};
  return table;
}

// A count for people: "3.957e+52", "10^302.6".
std::string printed(const ItemCount& count) {
  return count.items ? printed(*count.items) : "10^" + log10_text(count.log10());
}

ResultTable corollary_table(const Corollary& c) {
  using Row = FormatLimit;
  constexpr NumberForm kForm = NumberForm::kScientific;
  const std::vector<ColumnOf<Row>> columns = {
      {{"format", "format", NumberForm::kName},
       [](const Row& r) { return std::string(r.format.name); }},
      {{"epsilon", "epsilon", kForm, 3}, [](const Row& r) { return r.format.epsilon; }},
      {{"n", ""}, [](const Row& r) { return optional_value(r.first.items); }},
      {{"log10_n", ""}, [](const Row& r) { return r.first.log10(); }},
      {{"", "first n"}, [](const Row& r) { return printed(r.first); }},
      {{"n_of_proof", ""}, [](const Row& r) { return optional_value(r.of_proof.items); }},
      {{"log10_n_of_proof", ""}, [](const Row& r) { return r.of_proof.log10(); }},
      {{"", "exp(|d|)/epsilon"}, [](const Row& r) { return printed(r.of_proof); }}};
  ResultTable table = result_table("corollary", columns, c.limits);
  table.title = "The first n at which a's weight is below epsilon";
  const auto there = [&](auto value) { return c.first_error ? ResultValue(value) : ResultValue(); };
  const ItemCount error = c.first_error.value_or(ItemCount());
  table.facts = {{"logit_a", c.logit_a},
                 {"logit_b", c.logit_b},
                 {"d", c.d},
                 {"predicted_of_a", std::int64_t{c.predicted_of_a}},
                 {"predicted_of_b", std::int64_t{c.predicted_of_b}},
                 {"first_error_n", optional_value(error.items)},
                 {"first_error_log10_n", there(error.log10())},
                 {"search_complete", c.search_complete},
                 {"predicted_there", there(std::int64_t{c.predicted_there})},
                 {"weight_there", there(c.weight_there)}};
  table.notes = {corollary_figure(c).sentence};
  return table;
}

// Adds the plots, the tables and the sentence of another figure.
void append(Figure& figure, Figure more) {
  for (LinePlot& plot : more.plots)
    figure.plots.push_back(std::move(plot));
  for (Table& table : more.tables)
    figure.tables.push_back(std::move(table));
  if (!figure.sentence.empty() && !more.sentence.empty()) figure.sentence += " ";
  figure.sentence += more.sentence;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
  const Parameters<float>& head = inputs.heads.front().state->parameters;
  const Corollary corollary = corollary_of(head, pair_of(values));
  const Measured measured = measure(head, values, backends.backend(), progress);
  const int slope_items = values.whole("slope-items");
  ExperimentResult result;
  const bool one = values.count("sets") == 1;
  result.introduction = {Statement::naming(std::to_string(values.count("sets"))) +
                         (one ? Statement(" set") : Statement(" sets")) + " of every size"};
  result.tables = {rows_table(measured.rows), slopes_table(measured.slopes, slope_items),
                   corollary_table(corollary)};
  result.figure = bounds_figure(measured.rows, values.real("theta"));
  if (!measured.slopes.empty()) {
    result.figure.plots.push_back(slope_plot(measured.slopes, slope_items, values.whole("sets")));
  }
  append(result.figure, corollary_figure(corollary));
  return result;
}

}  // namespace

Experiment bounds_experiment() {
  return {
      .name = "bounds",
      .title = "Bounds",
      .summary = "A head's weights between the bounds of theory, and where they must fail",
      .paper_place = "lemma 2.1, theorem 2.2",
      .help =
          "The logit spread of a set is its largest minus its smallest logit, as the head computes "
          "them: with scale and biases. The column has the largest of the sets, delta; lower and "
          "upper are lemma 2.1's exp(-delta/theta)/n and exp(delta/theta)/n, the sharp ones "
          "1/(1+(n-1)exp(delta/theta)) and 1/(1+(n-1)exp(-delta/theta)). The set {a, b, b, ...} of "
          "the corollary (appendix B) is followed in closed form: a's weight is "
          "1/(1+(n-1)exp(-d)), "
          "d = (e_a-e_b)/theta. epsilon is the unit roundoff: 2^-24 for fp32, 2^-8 for bf16, 2^-11 "
          "for fp16, half the distance from 1 to the next number.",
      .examples = {"bounds", "bounds --theta 0.5 --sizes 16,1024 --json",
                   "bounds --rho-a 0.9 --rho-b 0.89 --class-a 3 --class-b 7"},
      .theory = true,
      .heads = HeadUse::kOne,
      .figure_has_table = true,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion

#include <array>
#include <string>

#include "core/experiment/experiment_table.h"
#include "core/experiment/spread.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/io/checkpoint.h"

namespace dispersion {
namespace {

constexpr std::int64_t kMostItems = 1 << 20;  // of all sets together

// One of the kinds of logits that a head is measured with, as tables name it.
struct Logits {
  const char* name;
  SpreadTerms terms;
};
constexpr std::array<Logits, 4> kLogits = {{{"as in the proposition", {false, false}},
                                            {"with the scale 1/√128", {true, false}},
                                            {"with the biases", {false, true}},
                                            {"scale and biases", {true, true}}}};

std::vector<Setting> settings() {
  return {{.name = "sets",
           .label = "sets",
           .help = "Sets on which a head is measured",
           .low = 1,
           .high = 65'536,
           .value = 128},
          {.name = "items",
           .label = "items per set",
           .help = "Items of these sets",
           .low = 1,
           .high = 65'536,
           .value = 16},
          set_seed_setting()};
}

struct MeasuredHead {
  const ExperimentHead* head;
  Logits logits;
  Spread spread;
};

// Measures each head with each kind of logits; after a stop, those that were finished.
std::vector<MeasuredHead> measure(const SettingValues& values,
                                  const std::vector<ExperimentHead>& heads,
                                  const Progress& keep_going) {
  std::vector<MeasuredHead> measured;
  if (heads.empty()) return measured;
  const int items = values.whole("items");
  if (values.count("sets") * items > kMostItems) {
    throw std::invalid_argument("--sets times --items is more than " + std::to_string(kMostItems));
  }
  const ItemSets sets = draw_spread_sets({values.seed("set-seed"), values.whole("sets"), items});
  const auto all = static_cast<double>(heads.size() * kLogits.size());
  for (const ExperimentHead& head : heads) {
    for (const Logits& logits : kLogits) {
      if (!keep_going(static_cast<double>(measured.size()) / all)) return measured;
      measured.push_back(
          {&head, logits, measure_spread(head.state->parameters, sets.view(), logits.terms)});
    }
  }
  return measured;
}

// Adds the columns that the table of heads and the table of histories share.
template <class Row, class SpreadOf>
void add_spread_columns(std::vector<ColumnOf<Row>>& columns, SpreadOf spread_of) {
  const auto add = [&](ResultColumn column, double Spread::*part) {
    columns.push_back({column, [=](const Row& row) { return spread_of(row).*part; }});
  };
  add({"delta", "delta", NumberForm::kFixed, 2}, &Spread::delta);
  add({"bound", "bound", NumberForm::kFixed, 2}, &Spread::bound);
  add({"largest_share", "largest share", NumberForm::kFixed, 4}, &Spread::largest_share);
  add({"sigma_query", "sigma Q", NumberForm::kFixed, 2}, &Spread::sigma_query);
  add({"sigma_key", "sigma K", NumberForm::kFixed, 2}, &Spread::sigma_key);
  add({"query_norm", "|y|", NumberForm::kFixed, 2}, &Spread::query_norm);
  add({"item_norm", "max |x|", NumberForm::kFixed, 2}, &Spread::item_norm);
  add({"kernel_norm", ""}, &Spread::kernel_norm);
}

ResultTable mean_table(const std::vector<History>& histories) {
  using Row = HistoryMean;
  constexpr NumberForm kForm = NumberForm::kFixed;
  const std::vector<ColumnOf<Row>> columns = {
      {{"step", "step"}, [](const Row& r) { return r.step; }},
      {{"seeds", "seeds"}, [](const Row& r) { return std::int64_t{r.seeds}; }},
      {{"delta", "delta mean", kForm, 2}, [](const Row& r) { return r.delta; }},
      {{"delta_low", "low", kForm, 2}, [](const Row& r) { return r.delta_low; }},
      {{"delta_high", "high", kForm, 2}, [](const Row& r) { return r.delta_high; }},
      {{"bound", "bound mean", kForm, 2}, [](const Row& r) { return r.bound; }},
      {{"bound_low", ""}, [](const Row& r) { return r.bound_low; }},
      {{"bound_high", ""}, [](const Row& r) { return r.bound_high; }}};
  ResultTable table = result_table("mean", columns, mean_over_seeds(histories));
  if (!histories.empty()) table.notes = {spread_figure(histories).sentence};
  return table;
}

ResultTable histories_table(const std::vector<History>& histories) {
  using Row = HistoryRow;
  std::vector<ColumnOf<Row>> columns = {
      {{"seed", "seed"}, [](const Row& r) { return std::int64_t{r.seed}; }},
      {{"step", "step"}, [](const Row& r) { return r.step; }}};
  add_spread_columns<Row>(columns, [](const Row& r) { return r.spread; });
  columns.push_back({{"cross_entropy", ""}, [](const Row& r) { return r.cross_entropy; }});
  columns.push_back({{"l2", ""}, [](const Row& r) { return r.l2; }});
  columns.push_back({{"accuracy", ""}, [](const Row& r) { return r.accuracy; }});
  std::vector<HistoryRow> rows;
  for (const History& history : histories)
    rows.insert(rows.end(), history.begin(), history.end());
  ResultTable table = result_table("histories", columns, rows);
  table.for_people = false;
  return table;
}

// A number of the head's run; nothing where that is unknown.
ResultValue known(const MeasuredHead& row, std::int64_t number) {
  return row.head->has_run ? ResultValue(number) : ResultValue();
}

ResultTable measured_table(const std::vector<MeasuredHead>& measured) {
  using Row = MeasuredHead;
  std::vector<ColumnOf<Row>> columns = {
      {{"checkpoint", "head", NumberForm::kName}, [](const Row& r) { return r.head->name; }},
      {{"seed", ""}, [](const Row& r) { return known(r, std::int64_t{r.head->state->seed}); }},
      {{"step", "step"}, [](const Row& r) { return known(r, r.head->state->step); }},
      {{"run_hash", ""}, [](const Row& r) { return run_hash(r.head->recipe, *r.head->state); }},
      {{"", "logits", NumberForm::kName}, [](const Row& r) { return std::string(r.logits.name); }},
      {{"scaled", ""}, [](const Row& r) { return r.logits.terms.scaled; }},
      {{"biases", ""}, [](const Row& r) { return r.logits.terms.biases; }}};
  add_spread_columns<Row>(columns, [](const Row& r) { return r.spread; });
  ResultTable table = result_table("measured", columns, measured);
  if (!measured.empty()) {
    table.notes = {"With biases the bound need not hold: they are not part of the proposition."};
  }
  return table;
}

TableCell number_cell(double value, int figures, bool muted = false) {
  return {.text = significant_text(value, figures), .muted = muted, .value = value};
}

// The table in the figure, of the first head.
Table head_table(const SettingValues& values, const std::vector<MeasuredHead>& measured) {
  const ExperimentHead& head = *measured.front().head;
  Table table;
  table.title = "This head";
  table.subtitle =
      "mean over " + grouped_text(values.count("sets")) + " sets of " +
      grouped_text(values.count("items")) + " items, " +
      (head.has_run ? "step " + grouped_text(head.state->step) : std::string(kWeightsOnly));
  table.headings = {"logits", "δ", "bound", "largest δ / bound"};
  for (const MeasuredHead& row : measured) {
    if (row.head != &head) break;
    table.rows.push_back({{.text = row.logits.name},
                          number_cell(row.spread.delta, 4),
                          number_cell(row.spread.bound, 4, true),
                          number_cell(row.spread.largest_share, 3)});
  }
  table.notes = {"Biases are not part of the proposition: with them the bound need not hold."};
  return table;
}

std::string head_sentence(const Spread& spread) {
  return "The logits of this head, without scale and biases, are spread by δ = " +
         significant_text(spread.delta, 4) + " on the mean; its weights and inputs allow " +
         significant_text(spread.bound, 4) + ".";
}

Figure figure_of(const SettingValues& values, const std::vector<History>& histories,
                 const std::vector<MeasuredHead>& measured) {
  Figure figure = spread_figure(histories);
  if (histories.empty()) figure.plots.clear();  // they would be empty
  if (measured.empty()) return figure;
  figure.tables.push_back(head_table(values, measured));
  if (!figure.sentence.empty()) figure.sentence += " ";
  figure.sentence += head_sentence(measured.front().spread);
  return figure;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends&, const Progress& progress, const ShowFigure&) {
  const std::vector<MeasuredHead> measured = measure(values, inputs.heads, progress);
  ExperimentResult result;
  result.tables = {mean_table(inputs.histories), histories_table(inputs.histories),
                   measured_table(measured)};
  result.figure = figure_of(values, inputs.histories, measured);
  return result;
}

}  // namespace

Experiment spread_experiment() {
  return {
      .name = "spread",
      .title = "Spread",
      .summary = "The spread of the logits over training and the bound that weights put on it",
      .paper_place = "figure 9",
      .help =
          "delta is the largest minus the smallest logit of a set; the bound is 2 sigma_max(Q) "
          "sigma_max(K) |y| max|x|, with y and x what Q and K are applied to. Low and high are "
          "the smallest and the largest seed. A head is measured with the proposition's own "
          "logits, with the scale 1/sqrt(width) of the head, and with the biases of Q and K, "
          "with which the bound need not hold: Q's bias adds to y Q (K's adds the same to "
          "every logit and cancels).",
      .examples = {"spread", "spread --history runs/default/seed1.history.csv --json",
                   "spread --checkpoint runs/default/seed1.safetensors --items 1024"},
      .theory = true,
      .heads = HeadUse::kSeveral,
      .histories = true,
      .figure_has_table = true,
      .uses_backend = false,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion

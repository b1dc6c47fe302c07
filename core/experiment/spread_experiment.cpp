#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "core/experiment/experiment_table.h"
#include "core/experiment/spread.h"
#include "core/experiment/spread_in_slices.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::int64_t kMostItems = 1 << 20;  // of all sets together
constexpr int kDigits = 4;                    // that count: spreads may be of any size

// One of the kinds of logits that a head is measured with, as tables name it.
struct Logits {
  const char* name;
  SpreadTerms terms;
};
constexpr std::array<Logits, 4> kLogits = {{{"dot products Qy·Kx", {false, false}},
                                            {"with the scale 1/√width", {true, false}},
                                            {"with the biases", {false, true}},
                                            {"both: the head's logits", {true, true}}}};

std::vector<Setting> settings() {
  std::vector<Setting> all = {{.name = "sets",
                               .label = "sets",
                               .help = "Sets on which a chosen head is measured",
                               .low = 1,
                               .high = 65'536,
                               .value = 128,
                               .section = "The measured head"},
                              {.name = "items",
                               .label = "items per set",
                               .help = "Items of these sets",
                               .low = 1,
                               .high = 65'536,
                               .value = 16},
                              set_seed_setting()};
  for (Setting& setting : all)
    setting.of_heads = true;
  return all;
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
      const auto done = static_cast<double>(measured.size());
      const std::optional<Spread> spread =
          measure_spread(head.state->parameters, sets.view(), logits.terms,
                         [&](double share) { return keep_going((done + share) / all); });
      if (!spread) return measured;
      measured.push_back({&head, logits, *spread});
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
  add({"delta", "spread", NumberForm::kSignificant, kDigits}, &Spread::delta);
  add({"bound", "bound", NumberForm::kSignificant, kDigits}, &Spread::bound);
  add({"largest_share", "largest share", NumberForm::kSignificant, kDigits},
      &Spread::largest_share);
  add({"sigma_query", "sigma Q", NumberForm::kSignificant, kDigits}, &Spread::sigma_query);
  add({"sigma_key", "sigma K", NumberForm::kSignificant, kDigits}, &Spread::sigma_key);
  add({"query_norm", "|y|", NumberForm::kSignificant, kDigits}, &Spread::query_norm);
  add({"item_norm", "max |x|", NumberForm::kSignificant, kDigits}, &Spread::item_norm);
  add({"kernel_norm", ""}, &Spread::kernel_norm);
}

ResultTable mean_table(const std::vector<History>& histories) {
  using Row = HistoryMean;
  constexpr NumberForm kForm = NumberForm::kSignificant;
  const std::vector<ColumnOf<Row>> columns = {
      {{"step", "step"}, [](const Row& r) { return r.step; }},
      {{"seeds", "runs"}, [](const Row& r) { return std::int64_t{r.seeds}; }},
      {{"delta", "spread mean", kForm, kDigits}, [](const Row& r) { return r.delta; }},
      {{"delta_low", "low", kForm, kDigits}, [](const Row& r) { return r.delta_low; }},
      {{"delta_high", "high", kForm, kDigits}, [](const Row& r) { return r.delta_high; }},
      {{"bound", "bound mean", kForm, kDigits}, [](const Row& r) { return r.bound; }},
      {{"bound_low", ""}, [](const Row& r) { return r.bound_low; }},
      {{"bound_high", ""}, [](const Row& r) { return r.bound_high; }}};
  ResultTable table = result_table("mean", columns, mean_over_seeds(histories));
  table.title = "Spread of the dot products Qy·Kx and its bound, on 128 sets of 16 items";
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

Statement bias_note() {
  return "With biases the bound need not hold: they are not part of the proposition.";
}

ResultTable measured_table(const std::vector<MeasuredHead>& measured) {
  using Row = MeasuredHead;
  std::vector<ColumnOf<Row>> columns = {
      {{"checkpoint", "head", NumberForm::kName}, [](const Row& r) { return r.head->name; }},
      {{"seed", ""}, [](const Row& r) { return known(r, std::int64_t{r.head->state->seed}); }},
      {{"step", "step"},
       [](const Row& r) { return known(r, r.head->steps_before + r.head->state->step); }},
      {{"run_hash", ""}, [](const Row& r) { return run_hash(r.head->recipe, *r.head->state); }},
      {{"", "logits", NumberForm::kName}, [](const Row& r) { return std::string(r.logits.name); }},
      {{"scaled", ""}, [](const Row& r) { return r.logits.terms.scaled; }},
      {{"biases", ""}, [](const Row& r) { return r.logits.terms.biases; }}};
  add_spread_columns<Row>(columns, [](const Row& r) { return r.spread; });
  ResultTable table = result_table("measured", columns, measured);
  if (!measured.empty()) table.notes = {bias_note()};
  return table;
}

TableCell number_cell(double value, int figures, bool muted = false) {
  return {.text = significant_text(value, figures), .muted = muted, .value = value};
}

Statement head_name(const ExperimentHead& head) {
  // Of a file without its folder, which would reveal something about the machine.
  const std::string name = std::filesystem::path(head.name).filename().string();
  std::string text = visible_text(name);
  // What the name of a head inside the program says itself is not said again.
  const auto add = [&text, all = text](const std::string& detail, const std::string& said) {
    const bool known = (all + ",").find(", " + said + ",") != std::string::npos;
    if (!known) text += ", " + detail;
  };
  if (!head.has_run) {
    add(std::string(kWeightsOnly), std::string(kWeightsOnly));
    return Statement::naming(text);
  }
  const std::string seed = "seed " + std::to_string(head.state->seed);
  const std::string step = grouped_text(head.steps_before + head.state->step);
  add(seed, seed);
  add("step " + step, step + " steps");
  return Statement::naming(text);
}

// The table in the figure, of the first head.
Table head_table(const SettingValues& values, const std::vector<MeasuredHead>& measured) {
  const ExperimentHead& head = *measured.front().head;
  Table table;
  table.title = "The measured head";
  table.subtitle = head_name(head) + "; means over " +
                   Statement::naming(counted_text(values.count("sets"), "set")) +
                   " of n = " + Statement::naming(grouped_text(values.count("items")));
  table.headings = {"logits", "spread", "bound", "largest spread / bound"};
  for (const MeasuredHead& row : measured) {
    if (row.head != &head) break;
    table.rows.push_back({{.text = row.logits.name},
                          number_cell(row.spread.delta, 4),
                          number_cell(row.spread.bound, 4, true),
                          number_cell(row.spread.largest_share, 3)});
  }
  table.notes = {bias_note()};
  return table;
}

// Of the first head, with the first and, unless there was a stop, the last kind of its logits.
Statement head_sentence(const std::vector<MeasuredHead>& measured) {
  const auto mean = [](const char* what, const MeasuredHead& row, double value) {
    return Statement::number(
        {.what = what, .of = row.logits.name, .value = value, .shown = significant_text(value, 4)});
  };
  const MeasuredHead& plain = measured.front();
  Statement text = "The dot products Qy·Kx of the measured head (" + head_name(*plain.head) +
                   ") have a spread of " + mean("mean spread", plain, plain.spread.delta) +
                   " on the mean, and the proposition a bound of " +
                   mean("mean bound", plain, plain.spread.bound);
  if (measured.size() >= kLogits.size()) {
    const MeasuredHead& own = measured[kLogits.size() - 1];
    text += "; its logits, with scale and biases, have a logit spread δ of " +
            mean("mean spread", own, own.spread.delta);
  }
  return text + ".";
}

Figure figure_of(const SettingValues& values, const std::vector<History>& histories,
                 const std::vector<MeasuredHead>& measured) {
  Figure figure = spread_figure(histories);
  if (histories.empty()) figure.plots.clear();  // they would be empty
  if (measured.empty()) return figure;
  figure.tables.push_back(head_table(values, measured));
  if (!figure.sentence.empty()) figure.sentence += " ";
  figure.sentence += head_sentence(measured);
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
      .summary = "The spread of the dot products Qy·Kx over training and the bound on it",
      .paper_place = "figure 9",
      .help =
          "The proposition (appendix D) is about the dot products Qy·Kx, without scale and biases. "
          "Their spread is the largest minus the smallest of a set; the bound is 2 sigma_max(Q) "
          "sigma_max(K) |y| max|x|, with y and x what Q and K are applied to. Histories have both "
          "on 128 sets of 16 items; low and high are the smallest and the largest run. A chosen "
          "head (--checkpoint, --seed) is measured on sets of your choice: its dot products, these "
          "with the scale 1/sqrt(width), with the biases of Q and K, and with both, as the head "
          "computes its logits: the logit spread of the other commands. With biases the bound need "
          "not hold: Q's bias adds to Qy (K's adds the same to every logit and cancels).",
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

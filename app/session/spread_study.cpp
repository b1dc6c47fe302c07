#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/figure/number_text.h"
#include "core/figure/spread_figure.h"

namespace dispersion {
namespace {

struct Row {
  const char* name;
  SpreadTerms terms;
};
constexpr std::array<Row, 3> kRows = {{{"as in the proposition", {false, false}},
                                       {"with the scale 1/√128", {true, false}},
                                       {"scale and biases", {true, true}}}};

// The head against its bound, as the proposition has it and as the head computes.
std::vector<Spread> measure_rows(const TrainingState& state, StudyProgress& progress) {
  const ItemSets sets = draw_spread_sets({});
  std::vector<Spread> spreads;
  for (const Row& row : kRows) {
    const double done = static_cast<double>(spreads.size());
    if (!progress.keep_going(done / static_cast<double>(kRows.size()))) return {};
    spreads.push_back(measure_spread(state.parameters, sets.view(), row.terms));
  }
  return spreads;
}

TableCell number_cell(double value, int figures, bool muted = false) {
  return {.text = significant_text(value, figures), .muted = muted, .value = value};
}

Table this_head(const TrainingState& state, std::span<const Spread> spreads) {
  Table table;
  table.title = "This head";
  table.subtitle = "mean over 128 sets of 16 items, step " + grouped_text(state.step);
  table.headings = {"logits", "δ", "bound", "largest δ / bound"};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const Spread& spread = spreads[i];
    table.rows.push_back({{.text = kRows[i].name},
                          number_cell(spread.delta, 4),
                          number_cell(spread.bound, 4, true),
                          number_cell(spread.largest_share, 3)});
  }
  table.notes = {"Biases are not part of the proposition: with them the bound need not hold."};
  return table;
}

std::string sentence(const Spread& spread) {
  return "The logits of this head, without scale and biases, are spread by δ = " +
         significant_text(spread.delta, 4) + " on the mean; its weights and inputs allow " +
         significant_text(spread.bound, 4) + ".";
}

}  // namespace

StudyPlan plan_spread(const AppState& app) {
  StudyPlan plan;
  plan.key = "spread";
  plan.head = app.head.version;
  const auto state = app.head.state;
  const auto material = app.material;
  if (!state || !material) return plan;
  plan.job = [state, material, provenance = open_head_provenance(app)](StudyTools&,
                                                                       StudyProgress& progress) {
    StudyResult result;
    const std::vector<Spread> spreads = measure_rows(*state, progress);
    if (spreads.empty()) return result;
    Figure& figure = result.figure;
    figure = spread_figure(material->histories);
    if (material->histories.empty()) figure.plots.clear();  // nothing to be seen in them
    figure.tables.push_back(this_head(*state, spreads));
    if (!figure.sentence.empty()) figure.sentence += " ";
    figure.sentence += sentence(spreads.front());
    result.figure.provenance = provenance;
    return result;
  };
  return plan;
}

}  // namespace dispersion

#include <array>
#include <string>

#include "app/desk/desk.h"
#include "app/desk/studies.h"
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

// The open head against its bound, as the proposition has it and as the head computes.
Table open_head(const TrainingState& state) {
  const ItemSets sets = draw_spread_sets({});
  Table table;
  table.title = "The open head";
  table.subtitle = "mean over 128 sets of 16 items, step " + grouped_text(state.step);
  table.headings = {"logits", "δ", "bound", "largest δ / bound"};
  for (const Row& row : kRows) {
    const Spread spread = measure_spread(state.parameters, sets.view(), row.terms);
    table.rows.push_back({{.text = row.name},
                          {.text = significant_text(spread.delta, 4)},
                          {.text = significant_text(spread.bound, 4), .muted = true},
                          {.text = significant_text(spread.largest_share, 3)}});
  }
  table.notes = {"Biases are not part of the proposition: with them the bound need not hold."};
  return table;
}

std::string sentence(const TrainingState& state) {
  const Spread spread =
      measure_spread(state.parameters, draw_spread_sets({}).view(), kRows.front().terms);
  return "The logits of the open head, without scale and biases, are spread by δ = " +
         significant_text(spread.delta, 4) + " on the mean; its weights and inputs allow " +
         significant_text(spread.bound, 4) + ".";
}

}  // namespace

StudyPlan plan_spread(const Desk& desk) {
  StudyPlan plan;
  plan.key = "spread";
  plan.head = desk.head.version;
  const auto state = desk.head.state;
  const auto material = desk.material;
  if (!state || !material) return plan;
  plan.job = [state, material, provenance = open_head_provenance(desk)](Backend&, StudyProgress&) {
    StudyResult result;
    Figure& figure = result.figure;
    figure = spread_figure(material->histories);
    if (material->histories.empty()) figure.plots.clear();  // nothing to be seen in them
    figure.tables.push_back(open_head(*state));
    if (!figure.sentence.empty()) figure.sentence += " ";
    figure.sentence += sentence(*state);
    result.figure.provenance = provenance;
    return result;
  };
  return plan;
}

}  // namespace dispersion

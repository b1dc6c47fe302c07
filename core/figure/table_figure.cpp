#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/table_summary.h"
#include "core/figure/accuracy_axis.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/figure/table_text.h"

namespace dispersion {
namespace {

// The transforms of the table, in the order of transform_definitions().
std::vector<AttentionTransform> transforms_of(const TableOne& table) {
  std::vector<AttentionTransform> transforms;
  for (const TableOneCell& cell : table.cells) {
    if (std::ranges::find(transforms, cell.transform.id, &AttentionTransform::id) ==
        transforms.end())
      transforms.push_back(cell.transform);
  }
  std::ranges::stable_sort(transforms, {}, &AttentionTransform::id);
  return transforms;
}

// The name of the paper's values under a transform: "adaptive θ, paper", "adaptive θ − softmax,
// paper".
std::string paper_name(const TransformDefinition& definition, const char* less = "") {
  return std::string(definition.label) + less + ", paper";
}

// Whether a transform is none of those that the table always has: softmax, adaptive temperature and
// hard attention.
bool is_further(const AttentionTransform& transform) {
  return transform.id != TransformId::kSoftmax && transform.id != TransformId::kAdaptive &&
         transform.id != TransformId::kHard;
}

// Ascending.
std::vector<int> sizes_of(const TableOne& table) {
  std::set<int> sizes;
  for (const TableOneCell& cell : table.cells)
    sizes.insert(cell.items);
  return {sizes.begin(), sizes.end()};
}

constexpr const char* kNotFinished = " …";

// How a row of the table is made: its name, and the text of a column from the cell of `transform`
// at that size.
struct RowRule {
  std::string name;
  TransformId transform = TransformId::kSoftmax;
  ColourRole role = ColourRole::kNeutral;
  std::function<TableCell(const TableOneCell&)> cell;
};

// How a number is shown: as which text, and by which factor it is converted to the unit of the
// text.
struct Display {
  std::string (*text)(double) = nullptr;
  double factor = 1;
};

constexpr Display kPercent = {[](double share) { return percentage_text(share); }, 100};
constexpr Display kProbability = {probability_text};
constexpr Display kPrintedProbability = {printed_probability_text};

TableCell number_cell(const std::optional<double>& value, Display display) {
  if (!value) return missing_cell();
  return {.text = display.text(*value), .value = display.factor * *value};
}

// Whether the paper's value lies in our interval, or `reason` where there is no interval.
TableCell inside_cell(const std::optional<bool>& inside, const std::string& reason) {
  if (!inside) return missing_cell(reason);
  return {.text = *inside ? "yes" : "no"};
}

TableCell mean_inside_cell(const TableOneCell& cell) {
  return inside_cell(cell.paper_inside(), cell.accuracy.interval.reason);
}

TableCell gain_inside_cell(const TableOneCell& cell) {
  return inside_cell(cell.paper_gain_inside(), cell.against_plain.reason);
}

// Adds an interval to the number in its middle, all written by `text`. One that is cut has two
// unequal halves.
void add_interval(const Interval& interval, std::string (*text)(double, int), int decimals,
                  TableCell& cell) {
  cell.low = 100 * interval.low;
  cell.high = 100 * interval.high;
  if (interval.is_cut) {
    cell.text.append(" (").append(text(interval.low, decimals));
    cell.text.append(" to ").append(text(interval.high, decimals)).append(")");
  } else {
    cell.text += " ± " + percentage_text((interval.high - interval.low) / 2, decimals);
  }
}

TableCell mean_cell(const TableOneCell& cell) {
  const int decimals = mean_decimals(cell);
  TableCell result = {.text = percentage_text(cell.accuracy.mean, decimals),
                      .strong = significantly_better(cell),
                      .value = 100 * cell.accuracy.mean};
  if (const auto& interval = cell.accuracy.interval)
    add_interval(*interval, percentage_text, decimals, result);
  return result;
}

TableCell p_cell(const TableOneCell& cell) {
  if (!cell.against_plain) return missing_cell(cell.against_plain.reason);
  TableCell result = number_cell(cell.against_plain->p, kProbability);
  result.strong = significantly_better(cell);
  return result;
}

// It is known to two figures at best.
TableCell deviation_cell(const TableOneCell& cell) {
  const Answer<double>& deviation = cell.accuracy.standard_deviation;
  if (!deviation) return missing_cell(deviation.reason);
  return number_cell(*deviation,
                     {[](double share) { return significant_text(100 * share, 2); }, 100});
}

TableCell mcnemar_cell(const TableOneCell& cell) {
  if (!cell.mcnemar_p) return missing_cell(cell.mcnemar_p.reason);
  return number_cell(cell.mcnemar_p.value, kProbability);
}

// The accuracy less that of softmax on the same seeds, in percentage points.
TableCell gain_cell(const TableOneCell& cell) {
  if (!cell.gain) return missing_cell();
  const int decimals = gain_decimals(cell);
  TableCell result = {.text = points_text(*cell.gain, decimals),
                      .strong = significantly_better(cell),
                      .value = 100 * *cell.gain};
  if (const auto& test = cell.against_plain)
    add_interval(test->interval, points_text, decimals, result);
  return result;
}

TableCell paper_gain_cell(const TableOneCell& cell) {
  return number_cell(cell.paper_gain, {[](double gain) { return points_text(gain); }, 100});
}

TableCell paper_p_cell(const TableOneCell& cell) {
  return number_cell(cell.paper_p_value, kPrintedProbability);
}

RowRule mean_row(const TransformDefinition& definition, std::string name) {
  return {std::move(name), definition.id, definition.colour, mean_cell};
}

RowRule paper_row(const TransformDefinition& definition) {
  return {paper_name(definition), definition.id, ColourRole::kReference,
          [](const TableOneCell& cell) { return number_cell(cell.paper_mean, kPercent); }};
}

RowRule gain_row(const TransformDefinition& definition) {
  return {std::string(definition.label) + " − softmax", definition.id, ColourRole::kNeutral,
          gain_cell};
}

// The first rows, which can stand alone: accuracies, gains and their p, ours and the paper's.
std::vector<RowRule> main_rules(const TableOne& table) {
  const TransformDefinition& softmax = transform_definition(TransformId::kSoftmax);
  const TransformDefinition& adaptive = transform_definition(TransformId::kAdaptive);
  const TransformDefinition& hard = transform_definition(TransformId::kHard);
  std::vector<RowRule> rows = {
      mean_row(softmax, std::string(softmax.label)),
      paper_row(softmax),
      mean_row(adaptive, std::string(adaptive.label)),
      paper_row(adaptive),
      gain_row(adaptive),
      {paper_name(adaptive, " − softmax"), adaptive.id, ColourRole::kReference, paper_gain_cell},
      {"p, paired t-test", adaptive.id, ColourRole::kNeutral, p_cell},
      {"p, paper", adaptive.id, ColourRole::kReference, paper_p_cell},
      mean_row(hard, std::string(hard.label))};
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TransformDefinition& definition = transform_definition(transform.id);
    rows.push_back(mean_row(definition, transform_label(transform)));
    rows.push_back(gain_row(definition));
  }
  return rows;
}

// The rows after them: significance tests, entropies and further measurements.
std::vector<RowRule> detail_rules(const TableOne& table) {
  std::vector<RowRule> rows;
  const auto add = [&rows](std::string name, TransformId transform,
                           std::function<TableCell(const TableOneCell&)> cell,
                           ColourRole role = ColourRole::kNeutral) {
    rows.push_back({std::move(name), transform, role, std::move(cell)});
  };
  const auto number = [](double TableOneCell::*value, Display display) {
    return [=](const TableOneCell& cell) { return number_cell(cell.*value, display); };
  };
  const Display nats = {[](double value) { return fixed_text(value, 2); }};
  for (const TransformId id : {TransformId::kSoftmax, TransformId::kAdaptive})
    add(paper_name(transform_definition(id)) + " in ±", id, mean_inside_cell);
  add(paper_name(transform_definition(TransformId::kAdaptive), " − softmax") + " in ±",
      TransformId::kAdaptive, gain_inside_cell);
  add("p of these heads, McNemar", TransformId::kAdaptive, mcnemar_cell);
  add("H, softmax (nats)", TransformId::kSoftmax, number(&TableOneCell::plain_entropy, nats),
      ColourRole::kBaseline);
  add("H, adaptive θ (nats)", TransformId::kAdaptive, number(&TableOneCell::entropy, nats),
      ColourRole::kAdaptive);
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TransformDefinition& definition = transform_definition(transform.id);
    const std::string label(definition.label);
    add("p, paired t-test, " + label, definition.id, p_cell);
    add("p of these heads, McNemar, " + label, definition.id, mcnemar_cell);
    add("H, " + label + " (nats)", definition.id, number(&TableOneCell::entropy, nats),
        definition.colour);
  }
  add("rows with H > " + fixed_text(table.window_end, 4), TransformId::kSoftmax,
      number(&TableOneCell::past_window, kPercent));
  add("weight on max", TransformId::kSoftmax, number(&TableOneCell::weight_on_max, {weight_text}));
  add("largest logit on max", TransformId::kSoftmax,
      number(&TableOneCell::argmax_correct, kPercent));
  add("softmax, std of seeds", TransformId::kSoftmax, deviation_cell);
  return rows;
}

// Adds the rows that have a cell in at least one column. Returns how many rows the table has then.
int add_rows(const TableOne& table, const std::vector<int>& sizes,
             const std::vector<RowRule>& rules, Table& result) {
  for (const RowRule& rule : rules) {
    std::vector<TableCell> row = {{.text = rule.name, .role = rule.role}};
    bool any = false;
    for (const int size : sizes) {
      const TableOneCell* cell = table.find(size, rule.transform);
      any = any || cell != nullptr;
      row.push_back(cell == nullptr ? missing_cell() : rule.cell(*cell));
      row.back().role = rule.role;
      // The paper's values do not wait for ours.
      if (cell == nullptr || cell->complete || rule.role == ColourRole::kReference) continue;
      row.back().text += kNotFinished;
      row.back().muted = true;
    }
    if (any) result.rows.push_back(std::move(row));
  }
  return static_cast<int>(result.rows.size());
}

// The table itself; its main rows are the accuracies.
Table rows_table(const TableOne& table) {
  Table result;
  result.title = "Table 1";
  result.subtitle = table_subtitle(table);
  const std::vector<int> sizes = sizes_of(table);
  result.headings.push_back("n");
  result.heading_values.push_back(std::numeric_limits<double>::quiet_NaN());
  for (const int size : sizes) {
    result.headings.push_back(grouped_text(size));
    result.heading_values.push_back(size);
  }
  result.main_rows = add_rows(table, sizes, main_rules(table), result);
  add_rows(table, sizes, detail_rules(table), result);
  TableNotes notes = table_notes(table);
  result.main_notes = static_cast<int>(notes.main.size());
  result.notes = std::move(notes.main);
  std::ranges::move(notes.rest, std::back_inserter(result.notes));
  return result;
}

Series measured_series(const TableOne& table, const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  Series series;
  series.name = transform_label(transform);
  series.role = definition.colour;
  series.mark = definition.mark;
  for (const TableOneCell& cell : table.cells) {
    if (cell.transform.id != transform.id) continue;
    series.x.push_back(cell.items);
    series.y.push_back(100 * cell.accuracy.mean);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Interval interval = cell.accuracy.interval.value.value_or(Interval{kNone, kNone});
    series.low.push_back(100 * interval.low);
    series.high.push_back(100 * interval.high);
  }
  if (std::ranges::none_of(series.low, [](double low) { return std::isfinite(low); })) {
    series.low.clear();
    series.high.clear();
  }
  return series;
}

Series paper_series(const TableOne& table, const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  Series series;
  series.name = paper_name(definition);
  series.role = definition.colour;  // the colour of our curve, which is not dashed
  series.line = LineStyle::kDashed;
  series.markers = false;
  for (const TableOneCell& cell : table.cells) {
    if (cell.transform.id != transform.id || !cell.paper_mean) continue;
    series.x.push_back(cell.items);
    series.y.push_back(100 * *cell.paper_mean);
  }
  return series;
}

LinePlot make_plot(const TableOne& table) {
  LinePlot plot;
  plot.title = "Accuracy";
  plot.subtitle = plot_subtitle(table);
  const std::vector<int> sizes = sizes_of(table);
  plot.x = sizes.empty() ? size_axis(16, 16384) : size_axis(sizes.front(), sizes.back());
  use_accuracy_axis(plot);
  for (const AttentionTransform& transform : transforms_of(table)) {
    plot.series.push_back(measured_series(table, transform));
    Series paper = paper_series(table, transform);
    if (!paper.x.empty()) plot.series.push_back(std::move(paper));
  }
  return plot;
}

}  // namespace

Figure table_figure(const TableOne& table) {
  Figure figure;
  figure.name = "table";
  figure.title = "Accuracy as the number of items grows";
  figure.plots.push_back(make_plot(table));
  figure.tables.push_back(rows_table(table));
  for (const Statement& sentence : table_sentences(table)) {
    if (!figure.sentence.empty()) figure.sentence += " ";
    figure.sentence += sentence;
  }
  return figure;
}

}  // namespace dispersion

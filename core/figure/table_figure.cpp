#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/table_summary.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

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

// The name of the paper's values under a transform: "adaptive θ, paper".
std::string paper_name(const TransformDefinition& definition) {
  return std::string(definition.label) + ", paper";
}

// Whether a transform is none of those that the table always has: softmax, adaptive temperature and
// hard attention.
bool is_further(const AttentionTransform& transform) {
  return transform.id != TransformId::kSoftmax && transform.id != TransformId::kAdaptive &&
         transform.id != TransformId::kHard;
}

// 0.5384 -> "53.8"
std::string percent_text(double share) {
  return fixed_text(100 * share, 1);
}

// Ascending.
std::vector<int> sizes_of(const TableOne& table) {
  std::set<int> sizes;
  for (const TableOneCell& cell : table.cells)
    sizes.insert(cell.items);
  return {sizes.begin(), sizes.end()};
}

// "10 seeds, 4 096 sets of every size each"
std::string sets_text(const TableOne& table) {
  if (table.cells.empty()) return "nothing evaluated yet";
  const auto [low, high] = std::ranges::minmax(table.cells, {}, &TableOneCell::sets);
  const std::string sets = low.sets == high.sets
                               ? grouped_text(high.sets)
                               : grouped_text(low.sets) + " to " + grouped_text(high.sets);
  return grouped_text(table.heads) + (table.heads == 1 ? " seed, " : " seeds, ") + sets +
         " sets of every size each";
}

constexpr double kSignificant = 0.05;
constexpr const char* kNotFinished = " …";
constexpr int kMostDecimals = 4;

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

constexpr Display kPercent = {percent_text, 100};
constexpr Display kProbability = {probability_text};
constexpr Display kPrintedProbability = {printed_probability_text};

TableCell number_cell(const std::optional<double>& value, Display display) {
  if (!value) return {.text = "–", .muted = true};
  return {.text = display.text(*value), .value = display.factor * *value};
}

TableCell inside_cell(const TableOneCell& cell) {
  const std::optional<bool> inside = cell.paper_inside();
  if (!inside) {
    const std::string& reason = cell.accuracy.interval.reason;
    return {.text = reason.empty() ? "–" : reason, .muted = true};
  }
  return {.text = *inside ? "yes" : "no"};
}

bool significantly_better(const TableOneCell& cell) {
  return cell.against_plain && cell.against_plain->p < kSignificant &&
         cell.against_plain->mean_difference > 0;
}

TableCell mean_cell(const TableOneCell& cell) {
  TableCell result = number_cell(cell.accuracy.mean, kPercent);
  if (const auto& interval = cell.accuracy.interval) {
    // An interval that ends at 0 or 1 is cut there and has two unequal halves.
    const bool is_cut = interval->low <= 0 || interval->high >= 1;
    result.text +=
        is_cut ? " (" + percent_text(interval->low) + " to " + percent_text(interval->high) + ")"
               : " ± " + percent_text((interval->high - interval->low) / 2);
    result.low = kPercent.factor * interval->low;
    result.high = kPercent.factor * interval->high;
  }
  result.strong = significantly_better(cell);
  return result;
}

TableCell p_cell(const TableOneCell& cell) {
  if (!cell.against_plain) return {.text = cell.against_plain.reason, .muted = true};
  TableCell result = number_cell(cell.against_plain->p, kProbability);
  result.strong = significantly_better(cell);
  return result;
}

// The accuracy less that of softmax on the same seeds, in percentage points.
TableCell difference_cell(const TableOne& table, const TableOneCell& cell) {
  const TableOneCell* plain = table.find(cell.items, TransformId::kSoftmax);
  if (plain == nullptr) return {.text = "–", .muted = true};
  const double points = 100 * (cell.accuracy.mean - plain->accuracy.mean);
  const bool strong = significantly_better(cell);
  int decimals = 1;
  const auto shows_zero = [&] { return fixed_text(points, decimals) == fixed_text(0, decimals); };
  // A difference that is significant is not written as 0.0.
  while (strong && shows_zero() && decimals < kMostDecimals)
    ++decimals;
  const std::string sign = shows_zero() ? "" : points < 0 ? "−" : "+";
  return {.text = sign + fixed_text(std::abs(points), decimals), .strong = strong, .value = points};
}

RowRule mean_row(const TransformDefinition& definition, std::string name) {
  return {std::move(name), definition.id, definition.colour, mean_cell};
}

RowRule paper_row(const TransformDefinition& definition) {
  return {paper_name(definition), definition.id, ColourRole::kReference,
          [](const TableOneCell& cell) { return number_cell(cell.paper_mean, kPercent); }};
}

RowRule difference_row(const TableOne& table, const TransformDefinition& definition) {
  return {std::string(definition.label) + " − softmax", definition.id, ColourRole::kNeutral,
          [&table](const TableOneCell& cell) { return difference_cell(table, cell); }};
}

// The first rows, which can stand alone: accuracies, ours and the paper's, and their differences.
std::vector<RowRule> main_rules(const TableOne& table) {
  const TransformDefinition& softmax = transform_definition(TransformId::kSoftmax);
  const TransformDefinition& adaptive = transform_definition(TransformId::kAdaptive);
  const TransformDefinition& hard = transform_definition(TransformId::kHard);
  std::vector<RowRule> rows = {mean_row(softmax, std::string(softmax.label)),
                               paper_row(softmax),
                               mean_row(adaptive, std::string(adaptive.label)),
                               paper_row(adaptive),
                               difference_row(table, adaptive),
                               mean_row(hard, std::string(hard.label))};
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TransformDefinition& definition = transform_definition(transform.id);
    rows.push_back(mean_row(definition, transform_label(transform)));
    rows.push_back(difference_row(table, definition));
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
  const auto mcnemar = [](const TableOneCell& cell) {
    return number_cell(cell.mcnemar_p.value, kProbability);
  };
  for (const TransformId id : {TransformId::kSoftmax, TransformId::kAdaptive})
    add(paper_name(transform_definition(id)) + " in ±", id, inside_cell);
  add("p, paired t-test", TransformId::kAdaptive, p_cell);
  add(
      "p, paper", TransformId::kAdaptive,
      [](const TableOneCell& cell) { return number_cell(cell.paper_p_value, kPrintedProbability); },
      ColourRole::kReference);
  add("p, McNemar", TransformId::kAdaptive, mcnemar);
  add("H, softmax (nats)", TransformId::kSoftmax, number(&TableOneCell::plain_entropy, nats),
      ColourRole::kBaseline);
  add("H, adaptive θ (nats)", TransformId::kAdaptive, number(&TableOneCell::entropy, nats),
      ColourRole::kAdaptive);
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TransformDefinition& definition = transform_definition(transform.id);
    const std::string label(definition.label);
    add("p, paired t-test, " + label, definition.id, p_cell);
    add("p, McNemar, " + label, definition.id, mcnemar);
    add("H, " + label + " (nats)", definition.id, number(&TableOneCell::entropy, nats),
        definition.colour);
  }
  add("rows with H > " + fixed_text(table.window_end, 4), TransformId::kSoftmax,
      number(&TableOneCell::past_window, kPercent));
  add("weight on the max", TransformId::kSoftmax,
      number(&TableOneCell::weight_on_max, {weight_text}));
  add("largest logit on max", TransformId::kSoftmax,
      number(&TableOneCell::argmax_correct, kPercent));
  add("softmax, std of seeds", TransformId::kSoftmax, [](const TableOneCell& cell) {
    return number_cell(cell.accuracy.standard_deviation.value, kPercent);
  });
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
      row.push_back(cell == nullptr ? TableCell{.text = "–", .muted = true} : rule.cell(*cell));
      row.back().role = rule.role;
      if (cell == nullptr || cell->complete) continue;
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
  result.subtitle = "accuracy in %, mean ± 95 % t-interval over " + sets_text(table);
  const std::vector<int> sizes = sizes_of(table);
  result.headings.push_back("n");
  result.heading_values.push_back(std::numeric_limits<double>::quiet_NaN());
  for (const int size : sizes) {
    result.headings.push_back(grouped_text(size));
    result.heading_values.push_back(size);
  }
  result.main_rows = add_rows(table, sizes, main_rules(table), result);
  add_rows(table, sizes, detail_rules(table), result);
  result.notes = {"bold: better than softmax on the same sets, p < 0.05 (paired t-test over seeds)",
                  "in ±: whether the paper's mean lies in our interval",
                  "p: adaptive θ against softmax; McNemar: exact, all sets of all seeds in one "
                  "table"};
  result.main_notes = 1;
  if (std::ranges::any_of(table.cells, [](const auto& cell) { return !cell.complete; })) {
    result.notes.insert(result.notes.begin(), "…: not finished, over the sets counted so far");
    ++result.main_notes;
  }
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
    const Interval none = {cell.accuracy.mean, cell.accuracy.mean};
    const Interval interval = cell.accuracy.interval.value.value_or(none);
    series.low.push_back(100 * interval.low);
    series.high.push_back(100 * interval.high);
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
  plot.subtitle = "% against n, 95 % t-intervals over " + sets_text(table) + "; the paper's dashed";
  const std::vector<int> sizes = sizes_of(table);
  plot.x = sizes.empty() ? size_axis(16, 16384) : size_axis(sizes.front(), sizes.back());
  plot.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  for (const AttentionTransform& transform : transforms_of(table)) {
    plot.series.push_back(measured_series(table, transform));
    Series paper = paper_series(table, transform);
    if (!paper.x.empty()) plot.series.push_back(std::move(paper));
  }
  return plot;
}

// The size in the sentence: 1,024, where the transforms differ most, or else the largest one.
int sentence_size(const TableOne& table) {
  constexpr int kPreferred = 1024;
  if (table.find(kPreferred, TransformId::kSoftmax) != nullptr) return kPreferred;
  return sizes_of(table).back();
}

std::string with_paper(const TableOneCell& cell) {
  const std::string ours = percent_text(cell.accuracy.mean) + " %";
  return cell.paper_mean ? ours + " (paper " + percent_text(*cell.paper_mean) + ")" : ours;
}

std::string sentence_of(const TableOne& table) {
  if (table.cells.empty()) return "Nothing has been evaluated yet.";
  const int size = sentence_size(table);
  std::string text = "At n = " + grouped_text(size);
  if (const TableOneCell* plain = table.find(size, TransformId::kSoftmax))
    text += " softmax gets " + with_paper(*plain) + " of the sets right";
  if (const TableOneCell* adaptive = table.find(size, TransformId::kAdaptive)) {
    text += ", adaptive θ " + with_paper(*adaptive);
    if (adaptive->against_plain) text += ", p = " + probability_text(adaptive->against_plain->p);
  }
  if (const TableOneCell* hard = table.find(size, TransformId::kHard))
    text += "; the largest logit alone would get " + percent_text(hard->accuracy.mean) + " %";
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TableOneCell* cell = table.find(size, transform.id);
    if (cell != nullptr)
      text += "; " + transform_label(transform) + " " + percent_text(cell->accuracy.mean) + " %";
  }
  text += ".";
  int inside = 0;
  int compared = 0;
  for (const TableOneCell& cell : table.cells) {
    if (!cell.complete) continue;
    const std::optional<bool> in = cell.paper_inside();
    compared += in.has_value();
    inside += in.value_or(false);
  }
  if (compared > 0) {
    text += " The paper's value lies in our 95 % interval in " + std::to_string(inside) + " of " +
            std::to_string(compared) + " cells.";
  }
  return text;
}

}  // namespace

Figure table_figure(const TableOne& table) {
  Figure figure;
  figure.name = "table";
  figure.title = "Accuracy as the number of items grows";
  figure.plots.push_back(make_plot(table));
  figure.tables.push_back(rows_table(table));
  figure.sentence = sentence_of(table);
  return figure;
}

}  // namespace dispersion

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/figure/number_text.h"
#include "core/figure/table_parts.h"

namespace dispersion {
namespace {

constexpr double kSignificant = 0.05;
constexpr int kMostDecimals = 4;

// A row of the table: its name, and what stands in the column of a cell of `transform`.
struct RowRule {
  std::string name;
  TransformId transform = TransformId::kSoftmax;
  ColourRole role = ColourRole::kNeutral;
  std::function<TableCell(const TableOneCell&)> cell;
};

// How a number is shown, and how many of its text's units it has: a share is told in percent.
struct Display {
  std::string (*text)(double) = nullptr;
  double units = 1;
};

constexpr Display kShare = {share_text, 100};
constexpr Display kProbability = {probability_text};
constexpr Display kPrintedProbability = {printed_probability_text};

TableCell number_cell(const std::optional<double>& value, Display display) {
  if (!value) return {.text = "–", .muted = true};
  return {.text = display.text(*value), .value = display.units * *value};
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
  TableCell result = number_cell(cell.accuracy.mean, kShare);
  if (const auto& interval = cell.accuracy.interval) {
    result.text += " ± " + share_text((interval->high - interval->low) / 2);
    result.low = kShare.units * interval->low;
    result.high = kShare.units * interval->high;
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

// In points, over the same seeds.
TableCell difference_cell(const TableOne& table, const TableOneCell& cell) {
  const TableOneCell* plain = table.find(cell.items, TransformId::kSoftmax);
  if (plain == nullptr) return {.text = "–", .muted = true};
  const double points = 100 * (cell.accuracy.mean - plain->accuracy.mean);
  const bool strong = significantly_better(cell);
  int decimals = 1;
  const auto none = [&] { return fixed_text(points, decimals) == fixed_text(0, decimals); };
  while (strong && none() && decimals < kMostDecimals)
    ++decimals;  // what is told from nothing is not written as nothing
  const std::string sign = none() ? "" : points < 0 ? "−" : "+";
  return {.text = sign + fixed_text(std::abs(points), decimals), .strong = strong, .value = points};
}

RowRule mean_row(const TransformDefinition& definition, std::string name) {
  return {std::move(name), definition.id, definition.colour, mean_cell};
}

RowRule paper_row(const TransformDefinition& definition) {
  return {paper_name(definition), definition.id, ColourRole::kReference,
          [](const TableOneCell& cell) { return number_cell(cell.paper_mean, kShare); }};
}

RowRule difference_row(const TableOne& table, const TransformDefinition& definition) {
  return {std::string(definition.label) + " − softmax", definition.id, ColourRole::kNeutral,
          [&table](const TableOneCell& cell) { return difference_cell(table, cell); }};
}

// What the table is made for.
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

// How sure that is, and what lies behind it.
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
      number(&TableOneCell::past_window, kShare));
  add("weight on the max", TransformId::kSoftmax,
      number(&TableOneCell::weight_on_max, {weight_text}));
  add("largest logit on max", TransformId::kSoftmax, number(&TableOneCell::argmax_correct, kShare));
  add("softmax, std of seeds", TransformId::kSoftmax, [](const TableOneCell& cell) {
    return number_cell(cell.accuracy.standard_deviation.value, kShare);
  });
  return rows;
}

// Returns how many rows there are: those with nothing in them are left out.
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
    }
    if (any) result.rows.push_back(std::move(row));
  }
  return static_cast<int>(result.rows.size());
}

}  // namespace

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
  return result;
}

}  // namespace dispersion

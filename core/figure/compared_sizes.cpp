#include "core/figure/compared_sizes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/attention/transforms.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

constexpr std::string_view kAccuracyHelp =
    "Share of evaluation sets whose maximum was classified right, in percent. B − A is counted "
    "set by set, and stands where both are of the same sets.";
constexpr std::string_view kSameSetsHelp =
    "Share classified right of the sets that A and B have both classified so far, in percent, and "
    "B − A, which is counted set by set.";
constexpr std::string_view kWeightHelp =
    "Mean attention weight on the item with the largest priority. B − A stands where both are of "
    "the same sets.";
constexpr std::string_view kEntropyHelp =
    "Mean Shannon entropy of the weights in nats. B − A stands where both are of the same sets.";

Statement number(std::string_view what, TransformId id, int items, double value,
                 std::string shown) {
  return Statement::number({.what = what,
                            .of = std::string(transform_name(id)),
                            .at = {static_cast<double>(items)},
                            .value = value,
                            .shown = std::move(shown)});
}

// What is said of each row, and of the difference.
struct Quantity {
  const char* label;
  std::string_view of_a;
  std::string_view of_b;
  std::string_view of_difference;
  double (*value)(const SizeRow&);
  int decimals;
  std::string_view help;
  std::string_view unit;
};

constexpr Quantity kAccuracy = {"accuracy (%)",
                                "accuracy of A (%)",
                                "accuracy of B (%)",
                                "accuracy, B minus A (points)",
                                [](const SizeRow& row) { return 100 * row.accuracy(); },
                                1,
                                kAccuracyHelp,
                                "%"};
constexpr Quantity kWeight = {"weight on max",
                              "mean weight on the maximum of A",
                              "mean weight on the maximum of B",
                              "mean weight on the maximum, B minus A",
                              [](const SizeRow& row) { return row.mean_weight_on_max(); },
                              3,
                              kWeightHelp,
                              ""};
constexpr Quantity kEntropy = {"entropy H",
                               "mean entropy of A",
                               "mean entropy of B",
                               "mean entropy, B minus A",
                               [](const SizeRow& row) { return row.mean_entropy(); },
                               2,
                               kEntropyHelp,
                               "nats"};

// Whether these sets have also been compared set by set.
bool pair_of_same_sets(const ComparedRows& rows) {
  return of_same_sets(rows) && rows.pair != nullptr && rows.pair->sets == rows.b->sets;
}

// A weight is written as everywhere: one of less than 0.001 is none of 0.
std::string shown_text(const Quantity& quantity, double value) {
  return &quantity == &kWeight ? weight_text(value) : fixed_text(value, quantity.decimals);
}

bool is_counted(const ComparedRows& rows) {
  return rows.pair != nullptr && rows.pair->sets > 0;
}

// B minus A; NaN where that is not known. Accuracies are compared set by set.
double difference_of(const Quantity& quantity, const ComparedRows& rows) {
  if (!of_same_sets(rows)) return NAN;
  if (&quantity != &kAccuracy) return quantity.value(*rows.b) - quantity.value(*rows.a);
  return pair_of_same_sets(rows) ? 100 * rows.pair->accuracy().difference : NAN;
}

ComparedValue compared(const Quantity& quantity, const ComparedRows& rows) {
  ComparedValue value = {quantity.label, "–", "–", "–", "", "", "", quantity.help, quantity.unit};
  const bool other_sets = rows.a != nullptr && rows.b != nullptr && !of_same_sets(rows);
  if (other_sets) value.difference = {};  // there is none to wait for
  if (rows.a != nullptr) {
    const double of_a = quantity.value(*rows.a);
    value.a = number(quantity.of_a, rows.id, rows.a->items, of_a, shown_text(quantity, of_a));
    value.exact_a = computed_number(of_a);
  }
  if (rows.b != nullptr) {
    const double of_b = quantity.value(*rows.b);
    value.b = number(quantity.of_b, rows.id, rows.b->items, of_b, shown_text(quantity, of_b));
    value.exact_b = computed_number(of_b);
  }
  const double difference = difference_of(quantity, rows);
  if (std::isnan(difference)) return value;
  value.difference = number(quantity.of_difference, rows.id, rows.b->items, difference,
                            signed_text(difference, quantity.decimals));
  value.exact_difference = computed_number(difference);
  return value;
}

// The accuracies on the sets that the pair is of, and their difference.
ComparedValue compared_pair(const SizePair& pair) {
  const auto share = [&](std::int64_t correct) {
    return 100.0 * static_cast<double>(correct) / static_cast<double>(pair.sets);
  };
  const double of_a = share(pair.both + pair.only_a);
  const double of_b = share(pair.both + pair.only_b);
  const double difference = 100 * pair.accuracy().difference;
  ComparedValue value = {
      "same " + counted_text(pair.sets, "set"), {}, {}, {}, "", "", "", kSameSetsHelp, "%"};
  value.a = number("accuracy of A on the sets of both (%)", pair.id, pair.items, of_a,
                   fixed_text(of_a, kAccuracy.decimals));
  value.exact_a = computed_number(of_a);
  value.b = number("accuracy of B on the sets of both (%)", pair.id, pair.items, of_b,
                   fixed_text(of_b, kAccuracy.decimals));
  value.exact_b = computed_number(of_b);
  value.difference = number(kAccuracy.of_difference, pair.id, pair.items, difference,
                            signed_text(difference, kAccuracy.decimals));
  value.exact_difference = computed_number(difference);
  return value;
}

Statement interval_of(const SizePair& pair) {
  const Interval interval = pair.accuracy().interval;
  const double low = 100 * interval.low;
  const double high = 100 * interval.high;
  return number("low end of accuracy, B minus A (points)", pair.id, pair.items, low,
                signed_text(low, 1)) +
         " to " +
         number("high end of accuracy, B minus A (points)", pair.id, pair.items, high,
                signed_text(high, 1));
}

// "2 048 same sets"
Statement same_sets_text(const SizePair& pair) {
  return count_of("sets that A and B have classified", pair.sets,
                  {static_cast<double>(pair.items)}) +
         " same sets";
}

const SizeRow* row_like(std::span<const SizeRow> rows, const SizeRow& like) {
  const auto found = std::ranges::find_if(rows, [&](const SizeRow& row) {
    return row.items == like.items && row.transform.id == like.transform.id && row.sets > 0;
  });
  return found == rows.end() ? nullptr : &*found;
}

const SizePair* pair_like(std::span<const SizePair> pairs, const SizeRow& like) {
  const auto found = std::ranges::find_if(pairs, [&](const SizePair& pair) {
    return pair.items == like.items && pair.id == like.transform.id && pair.sets > 0;
  });
  return found == pairs.end() ? nullptr : &*found;
}

TableCell cell(const std::string& text, double value) {
  TableCell cell;
  cell.text = text;
  cell.value = value;
  return cell;
}

void add_cells(std::vector<TableCell>& cells, const Quantity& quantity, const ComparedRows& rows) {
  const ComparedValue value = compared(quantity, rows);
  cells.push_back(cell(value.a, quantity.value(*rows.a)));
  cells.push_back(cell(value.b, quantity.value(*rows.b)));
  const double difference = difference_of(quantity, rows);
  cells.push_back(std::isnan(difference) ? missing_cell() : cell(value.difference, difference));
}

std::vector<TableCell> row_cells(const ComparedRows& rows) {
  const TransformDefinition& definition = transform_definition(rows.id);
  std::vector<TableCell> cells = {cell(grouped_text(rows.b->items), rows.b->items)};
  TableCell name;
  name.text = definition.label;
  name.role = definition.colour;
  cells.push_back(name);
  add_cells(cells, kAccuracy, rows);
  if (pair_of_same_sets(rows)) {
    const PairedShares paired = rows.pair->accuracy();
    cells.back().low = 100 * paired.interval.low;
    cells.back().high = 100 * paired.interval.high;
  }
  const Statement interval = paired_text(rows);
  cells.push_back(interval.empty() ? missing_cell() : cell(interval, NAN));
  add_cells(cells, kWeight, rows);
  add_cells(cells, kEntropy, rows);
  return cells;
}

std::vector<ComparedRows> rows_of(std::span<const ComparedRows> rows,
                                  bool (*wanted)(const ComparedRows&)) {
  std::vector<ComparedRows> all;
  std::ranges::copy_if(rows, std::back_inserter(all), wanted);
  return all;
}

}  // namespace

bool of_same_sets(const ComparedRows& rows) {
  return rows.a != nullptr && rows.b != nullptr && rows.a->sets == rows.b->sets;
}

std::vector<ComparedValue> compared_size_values(const ComparedRows& rows) {
  std::vector<ComparedValue> values = {compared(kAccuracy, rows)};
  if (is_counted(rows) && !pair_of_same_sets(rows)) values.push_back(compared_pair(*rows.pair));
  values.push_back(compared(kWeight, rows));
  values.push_back(compared(kEntropy, rows));
  return values;
}

Statement interval_text(const ComparedRows& rows) {
  if (!is_counted(rows)) return {};
  return interval_of(*rows.pair) + " points, " + same_sets_text(*rows.pair);
}

Statement paired_text(const ComparedRows& rows) {
  if (!is_counted(rows) || pair_of_same_sets(rows)) return interval_text(rows);
  const SizePair& pair = *rows.pair;
  const double points = 100 * pair.accuracy().difference;
  return number(kAccuracy.of_difference, pair.id, pair.items, points, signed_text(points, 1)) +
         " (" + interval_of(pair) + ") points, " + same_sets_text(pair);
}

Statement other_sets_text(const ComparedRows& rows) {
  if (rows.a == nullptr || rows.b == nullptr || of_same_sets(rows)) return {};
  const std::vector<double> at = {static_cast<double>(rows.b->items)};
  return "A is of " + counted("sets of A", rows.a->sets, "set", at) + ", B of " +
         count_of("sets of B", rows.b->sets, at);
}

std::vector<ComparedRows> compared_rows(std::span<const SizeRow> a, std::span<const SizeRow> b,
                                        std::span<const SizePair> pairs) {
  std::vector<ComparedRows> all;
  for (const SizeRow& row : b) {
    const SizeRow* other = row.sets > 0 ? row_like(a, row) : nullptr;
    if (other != nullptr) all.push_back({row.transform.id, other, &row, pair_like(pairs, row)});
  }
  return all;
}

Table size_comparison_table(std::span<const ComparedRows> rows) {
  Table table;
  table.title = "A and B at every n";
  table.subtitle = "B − A of the accuracy in percentage points, on the sets that both have seen";
  table.headings = {"n",     "attention",  "accuracy A (%)", "accuracy B (%)",
                    "B − A", "95 %, sets", "max A",          "max B",
                    "B − A", "H A (nats)", "H B (nats)",     "B − A"};
  for (const ComparedRows& each : rows)
    table.rows.push_back(row_cells(each));
  table.notes.push_back("max: mean weight on the maximum. H: mean entropy of the weights.");
  return table;
}

LinePlot accuracy_difference_plot(std::span<const ComparedRows> rows) {
  LinePlot plot;
  plot.title = "Accuracy, B − A";
  plot.subtitle = "percentage points against n, on the same sets, 95 % paired intervals";
  double reach = 1;
  int smallest = 16384;
  int largest = 16;
  for (const TransformDefinition* definition : transform_definitions()) {
    Series series;
    series.name = definition->label;
    series.role = definition->colour;
    series.mark = definition->mark;
    for (const ComparedRows& each : rows) {
      if (each.id != definition->id || each.pair == nullptr) continue;
      const PairedShares paired = each.pair->accuracy();
      series.x.push_back(each.pair->items);
      series.y.push_back(100 * paired.difference);
      series.low.push_back(100 * paired.interval.low);
      series.high.push_back(100 * paired.interval.high);
      reach = std::max({reach, -series.low.back(), series.high.back()});
      smallest = std::min(smallest, each.pair->items);
      largest = std::max(largest, each.pair->items);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  plot.x = size_axis(std::min(smallest, largest), std::max(smallest, largest));
  plot.y = {.label = "B − A (points)",
            .logarithmic = false,
            .low = -1.05 * reach,
            .high = 1.05 * reach,
            .ticks = round_ticks(-reach, reach, 7)};
  plot.lines.push_back({.value = 0, .label = "", .vertical = false});
  return plot;
}

LinePlot accuracy_differences(std::span<const ComparedRows> rows) {
  return accuracy_difference_plot(rows_of(rows, pair_of_same_sets));
}

LinePlot entropy_differences(std::span<const ComparedRows> rows) {
  LinePlot plot;
  for (const ComparedRows& each : rows_of(rows, of_same_sets)) {
    const std::string name(transform_definition(each.id).label);
    auto series = std::ranges::find(plot.series, name, &Series::name);
    if (series == plot.series.end())
      series = plot.series.insert(series, line_series(name, ColourRole::kNeutral));
    series->x.push_back(each.b->items);
    series->y.push_back(difference_of(kEntropy, each));
  }
  return plot;
}

}  // namespace dispersion

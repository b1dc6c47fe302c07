#include "core/figure/size_values.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/dispersion.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

// Percentage points of an interval from which on decimals say nothing.
constexpr double kWide = 10;

// Sets with fewer items have hardly any ties.
constexpr int kTiedItems = 262'144;

Statement number(std::string_view what, const SizeRow& row, double value, std::string shown) {
  return Statement::number({.what = what,
                            .of = std::string(transform_name(row.transform.id)),
                            .at = {static_cast<double>(row.items)},
                            .value = value,
                            .shown = std::move(shown)});
}

// "62.3 % (61.2 to 63.4)"
Statement accuracy_text(const SizeRow& row) {
  const Interval interval = wilson_interval(row.correct, row.sets);
  const int decimals = 100 * (interval.high - interval.low) < kWide ? 1 : 0;
  return number("accuracy (%)", row, 100 * row.accuracy(), percent_text(row.accuracy(), decimals)) +
         " % (" +
         number("low end of accuracy (%)", row, 100 * interval.low,
                percent_text(interval.low, decimals)) +
         " to " +
         number("high end of accuracy (%)", row, 100 * interval.high,
                percent_text(interval.high, decimals)) +
         ")";
}

// "0.623047 (95 % 0.601890 to 0.643752, 2048 sets)"
std::string exact_accuracy(const SizeRow& row) {
  const Interval interval = wilson_interval(row.correct, row.sets);
  return computed_number(row.accuracy()) + " (95 % " + computed_number(interval.low) + " to " +
         computed_number(interval.high) + ", " + std::to_string(row.sets) +
         (row.sets == 1 ? " set)" : " sets)");
}

// A weight with four decimals, or with two significant digits if those would mostly be zeros.
std::string weight_in_table(double weight) {
  if (weight == 0 || weight >= 0.001) return fixed_text(weight, 4);
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), weight,
                                    std::chars_format::scientific, 1);
  return {buffer.data(), result.ptr};
}

std::string spread_in_table(double spread) {
  if (spread >= 1e6) return significant_text(spread, 4);
  return spread == 0 || spread >= 1 ? fixed_text(spread, 1) : significant_text(spread, 2);
}

NamedValue dash_if_unknown(NamedValue value, const SizeRow* row) {
  if (row != nullptr) return value;
  value.value = "–";
  value.exact.clear();
  return value;
}

}  // namespace

std::vector<NamedValue> size_values(TransformId id, const SizeRow* row) {
  const SizeRow none;
  const SizeRow& r = row != nullptr ? *row : none;
  const double on_max = r.mean_weight_on_max();
  const double entropy = r.mean_entropy();
  std::vector<NamedValue> values = {
      {"accuracy", accuracy_text(r), exact_accuracy(r),
       "Share of evaluation sets whose maximum was classified right, with its 95 % Wilson "
       "interval. Table 1.",
       "as a share of 1"},
      {"weight on max", number("mean weight on the maximum", r, on_max, weight_text(on_max)),
       computed_number(on_max),
       "Mean attention weight on the item with the largest priority, over all sets that were "
       "counted for the accuracy; below the heat maps stands that of the sets on them. It is 1 "
       "where all attention "
       "is there, and 1/n where every item gets the same."},
      {"entropy H", number("mean entropy", r, entropy, fixed_text(entropy, 2)) + " nats",
       computed_number(entropy),
       "Mean Shannon entropy of the weights in nats: 0 where one item has all the weight, log n "
       "where all have the same.",
       "nats"}};
  const TransformDefinition& definition = transform_definition(id);
  const double theta = r.mean_theta();
  if (id != TransformId::kSoftmax && definition.beta != nullptr && std::isfinite(theta)) {
    values.push_back({"mean θ used",
                      number("mean temperature", r, theta, significant_text(theta, 3)),
                      computed_number(theta),
                      "The temperature at which a softmax has these weights, averaged over the "
                      "sets: θ/β, with the β of the transform."});
  }
  for (NamedValue& value : values)
    value = dash_if_unknown(std::move(value), row);
  return values;
}

Statement counted_sets_text(const SizeRow* row) {
  if (row == nullptr) return "";
  return "Of " + counted("sets counted", row->sets, "set", {static_cast<double>(row->items)}) +
         Statement::naming("; the heat maps show " + std::to_string(kFrameSets) +
                           " sets of their own.");
}

NamedValue accuracy_difference(std::string label, TransformId id, const SizeRow* row,
                               const SizeRow* plain) {
  const bool measured = row != nullptr && plain != nullptr;
  const SizeRow none;
  const SizeRow& r = measured ? *row : none;
  const double points = measured ? 100 * (row->accuracy() - plain->accuracy()) : 0;
  const bool adaptive = id == TransformId::kAdaptive;
  NamedValue value = {
      std::move(label),
      (points >= 0 ? Statement("+") : Statement()) +
          number("accuracy above softmax (points)", r, points, fixed_text(points, 1)) +
          " percentage points",
      computed_number(points),
      adaptive ? "Adaptive minus plain, on the same sets, in percentage points. The head's weights "
                 "are the same: only the temperature differs."
               : "This transform minus plain softmax, on the same sets, in percentage points. The "
                 "head's weights are the same.",
      "percentage points"};
  return dash_if_unknown(std::move(value), measured ? row : nullptr);
}

std::vector<Statement> evaluation_cells(const SizeRow& row) {
  const Interval interval = wilson_interval(row.correct, row.sets);
  const double entropy = row.mean_entropy();
  const double on_max = row.mean_weight_on_max();
  const double spread = row.mean_logit_spread();
  return {
      Statement::naming(std::to_string(row.items)),
      Statement::naming(std::string(transform_name(row.transform.id))),
      number("accuracy (%)", row, 100 * row.accuracy(), percent_text(row.accuracy(), 1)) + " %",
      number("low end of accuracy (%)", row, 100 * interval.low, percent_text(interval.low, 1)) +
          " .. " +
          number("high end of accuracy (%)", row, 100 * interval.high,
                 percent_text(interval.high, 1)),
      number("mean entropy", row, entropy, fixed_text(entropy, 3)),
      number("mean weight on the maximum", row, on_max, weight_in_table(on_max)),
      number("largest logit on the maximum (%)", row, 100 * row.argmax_accuracy(),
             percent_text(row.argmax_accuracy(), 1)) +
          " %",
      number("mean logit spread", row, spread, spread_in_table(spread))};
}

Statement tied_sets_text(std::span<const SizeRow> rows) {
  Statement text;
  int last = 0;
  for (const SizeRow& row : rows) {
    if (row.items < kTiedItems || row.items == last) continue;
    text += Statement::naming("at n = " + std::to_string(row.items) + " ") +
            number("sets with a tied maximum (%)", row, 100 * row.tied_share(),
                   percent_text(row.tied_share(), 1)) +
            " % of the sets have several items with the largest priority, of which the first gives "
            "the label\n";
    last = row.items;
  }
  return text;
}

}  // namespace dispersion

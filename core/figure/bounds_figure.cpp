#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "core/experiment/bounds.h"
#include "core/experiment/corollary.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Smaller weights are not shown: the lower bounds fall so far that nothing else would be readable.
constexpr double kSmallestShown = 1e-40;
constexpr double kVisibleLoss = 1e-3;  // share of a's weight that is lost where the plot begins
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A quantity of the rows as a curve. Weights outside [kSmallestShown, largest_shown] are left out.
struct Curve {
  const char* name;
  ColourRole role;
  LineStyle line;
  std::function<double(const BoundsRow&)> value;
  double largest_shown = std::numeric_limits<double>::infinity();

  bool shows(double weight) const { return weight >= kSmallestShown && weight <= largest_shown; }
};

Series line_series(const char* name, ColourRole role) {
  Series series;
  series.name = name;
  series.role = role;
  series.markers = false;
  return series;
}

std::vector<Curve> weight_curves() {
  return {
      {"largest weight of all sets", ColourRole::kBaseline, LineStyle::kSolid,
       [](const BoundsRow& row) { return row.largest_weight; }},
      {"largest weight, mean over sets", ColourRole::kBaseline, LineStyle::kDashed,
       [](const BoundsRow& row) { return row.mean_largest_weight; }},
      {"smallest weight", ColourRole::kNeutral, LineStyle::kSolid,
       [](const BoundsRow& row) { return row.smallest_weight; }},
      {"sharp upper bound", ColourRole::kReference, LineStyle::kSolid,
       [](const BoundsRow& row) { return row.bounds.sharp_upper; }},
      {"sharp lower bound", ColourRole::kReference, LineStyle::kSolid,
       [](const BoundsRow& row) { return row.bounds.sharp_lower; }},
      // A bound above 1 says nothing about a weight.
      {"upper bound of lemma 2.1", ColourRole::kReference, LineStyle::kDashed,
       [](const BoundsRow& row) { return row.bounds.upper; }, 1},
      {"lower bound of lemma 2.1", ColourRole::kReference, LineStyle::kDashed,
       [](const BoundsRow& row) { return row.bounds.lower; }},
      {"1/n", ColourRole::kNeutral, LineStyle::kDashed,
       [](const BoundsRow& row) { return 1.0 / row.items; }},
  };
}

// The points of a curve: those that the plot shows, and those that only data files have.
struct CurvePoints {
  Series shown;
  Series unseen;
};

CurvePoints points_of(const Curve& curve, std::span<const BoundsRow> rows) {
  CurvePoints parts;
  parts.shown = line_series(curve.name, curve.role);
  parts.shown.line = curve.line;
  parts.shown.markers = curve.role == ColourRole::kBaseline && curve.line == LineStyle::kSolid;
  parts.unseen = parts.shown;
  for (const BoundsRow& row : rows) {
    const double value = curve.value(row);
    Series& part = curve.shows(value) ? parts.shown : parts.unseen;
    part.x.push_back(row.items);
    part.y.push_back(value);
  }
  return parts;
}

// The names of the curves of which no point is shown, with the reason: "below 10⁻⁴⁰: NAME, NAME;
// above 1: NAME".
std::string unseen_text(std::span<const CurvePoints> curves) {
  std::string low_names;
  std::string high_names;
  for (const auto& [shown, unseen] : curves) {
    if (!shown.x.empty()) continue;
    const auto low = [](double weight) { return weight < kSmallestShown; };
    std::string& names = std::ranges::any_of(unseen.y, low) ? low_names : high_names;
    names.append(names.empty() ? "" : ", ").append(unseen.name);
  }
  if (!low_names.empty()) low_names = "below 10⁻⁴⁰: " + low_names;
  if (!high_names.empty()) high_names = "above 1: " + high_names;
  return low_names + (low_names.empty() || high_names.empty() ? "" : "; ") + high_names;
}

std::string items_text(const std::optional<double>& items) {
  return items ? magnitude_text(*items) : "beyond 10³⁰⁰";
}

Table limits_table(const Corollary& corollary) {
  Table table;
  table.title = "Where a's weight falls below ε";
  table.subtitle = "in {a, b, b, …}; ε is the unit roundoff, half the gap above 1";
  table.headings = {"format", "ε", "first n", "exp(δ/θ)/ε"};
  for (const FormatLimit& limit : corollary.limits) {
    table.rows.push_back(
        {{.text = std::string(limit.format.name)},
         {.text = magnitude_text(limit.format.epsilon), .value = limit.format.epsilon},
         {.text = items_text(limit.items), .strong = true, .value = limit.items.value_or(kNan)},
         {.text = magnitude_text(limit.items_of_proof),
          .muted = true,
          .value = limit.items_of_proof}});
  }
  return table;
}

std::string corollary_sentence(const Corollary& c) {
  const std::string pair = "{a, b, b, …} with ρ = " + fixed_text(c.pair.priority_a, 2) + " and " +
                           fixed_text(c.pair.priority_b, 2);
  if (c.predicted_of_a != c.pair.class_a) {
    return "This head already gives {a} the wrong class, so " + pair + " shows nothing.";
  }
  if (!c.first_error) {
    return "This head never errs on " + pair + ": it gives {b, …, b} the class of a as well.";
  }
  const FormatLimit& fp32 = c.limits.front();
  return "On " + pair + " this head first errs at n = " + magnitude_text(*c.first_error) +
         ", where a still has weight " + magnitude_text(c.weight_there) + "; in " +
         std::string(fp32.format.name) + " that weight is lost at n = " + items_text(fp32.items) +
         ".";
}

}  // namespace

std::string bounds_sentence(std::span<const BoundsRow> rows) {
  if (rows.empty()) return "";
  const BoundsRow& first = rows.front();
  const BoundsRow& last = rows.back();
  int violations = 0;
  int sets = 0;
  for (const BoundsRow& row : rows) {
    violations += row.violations;
    sets += row.sets;
  }
  std::string text =
      "The mean largest weight goes from " + magnitude_text(first.mean_largest_weight) +
      " at n = " + grouped_text(first.items) + " to " + magnitude_text(last.mean_largest_weight) +
      " at n = " + grouped_text(last.items) +
      ", with logits up to δ = " + fixed_text(last.delta, 0) + " apart. ";
  text += violations == 0
              ? "All " + grouped_text(sets) + " sets keep within the bounds"
              : grouped_text(violations) + " of " + grouped_text(sets) + " sets leave the bounds";
  return text + "; the lemma's upper one begins to say something at n = " +
         magnitude_text(std::exp(std::log(last.bounds.upper) + std::log(last.items))) + ".";
}

Figure bounds_figure(std::span<const BoundsRow> rows, double theta) {
  Figure figure;
  figure.name = "bounds";
  figure.title = "No weight escapes";
  LinePlot plot;
  plot.title = "Attention weights and their bounds";
  if (rows.empty()) {
    plot.x = size_axis(16, 16384);
    plot.y = decade_axis("attention weight", 0, 0);
    figure.plots.push_back(std::move(plot));
    return figure;
  }
  plot.subtitle = grouped_text(rows.front().sets) +
                  " sets of every size, θ = " + (theta == 1 ? "1" : fixed_text(theta, 2)) +
                  ", bounds for the largest δ of the sets";
  std::vector<CurvePoints> curves;
  for (const Curve& curve : weight_curves())
    curves.push_back(points_of(curve, rows));
  const std::string unseen = unseen_text(curves);
  figure.sentence = bounds_sentence(rows);
  if (!unseen.empty()) {
    plot.subtitle += "; not shown " + unseen;
    figure.sentence += " Not shown " + unseen + ".";
  }
  plot.x = size_axis(rows.front().items, rows.back().items);
  double smallest = 1;
  for (auto& [shown, others] : curves) {
    if (!others.x.empty()) plot.unseen.push_back(std::move(others));
    if (shown.x.empty()) continue;
    smallest = std::min(smallest, std::ranges::min(shown.y));
    plot.series.push_back(std::move(shown));
  }
  plot.y = decade_axis("attention weight", smallest, 1);
  figure.plots.push_back(std::move(plot));
  return figure;
}

LinePlot slope_plot(std::span<const EntropySlope> slopes, int items, int sets) {
  LinePlot plot;
  plot.title = "How entropy falls with β";
  plot.subtitle =
      "dH/dβ, mean over " + grouped_text(sets) + " sets of " + grouped_text(items) + " items";
  Series formula = line_series("−β Var(e)", ColourRole::kReference);
  Series difference = line_series("finite differences", ColourRole::kBaseline);
  difference.markers = true;
  difference.line = LineStyle::kNone;
  double lowest = 0;
  for (const EntropySlope& slope : slopes) {
    formula.x.push_back(slope.beta);
    formula.y.push_back(slope.formula);
    difference.x.push_back(slope.beta);
    difference.y.push_back(slope.difference);
    lowest = std::min({lowest, slope.formula, slope.difference});
  }
  const double first = slopes.empty() ? 0.1 : slopes.front().beta;
  const double last = slopes.empty() ? 10 : slopes.back().beta;
  plot.x = decade_axis("inverse temperature β", first, last);
  plot.y = {
      .label = "dH/dβ (nats)", .low = lowest < 0 ? 1.05 * lowest : -1, .high = 0, .ticks = {}};
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  if (!slopes.empty()) plot.series = {std::move(formula), std::move(difference)};
  return plot;
}

Figure corollary_figure(const Corollary& corollary) {
  Figure figure;
  figure.name = "corollary";
  figure.title = "One a among n − 1 b's";
  LinePlot plot;
  plot.title = "Weight of a and confidence in its class";
  plot.subtitle = "δ/θ = " + fixed_text(corollary.d, 1) + ", closed form in double";
  Series weight = line_series("weight of a", ColourRole::kBaseline);
  Series probability = line_series("probability of a's class", ColourRole::kNeutral);
  for (const CorollaryPoint& point : corollary.curve) {
    weight.x.push_back(point.items);
    weight.y.push_back(point.weight);
    probability.x.push_back(point.items);
    probability.y.push_back(point.probability_a);
  }
  const double last = corollary.curve.empty() ? 10 : corollary.curve.back().items;
  // The plot begins where a has lost a thousandth of its weight: before that both curves are flat,
  // often over forty decades.
  const double begin = std::exp(corollary.d) * kVisibleLoss;
  plot.x = decade_axis(std::string(kItemsLabel),
                       std::clamp(begin, 1.0, corollary.first_error.value_or(last)), last);
  plot.y = {.label = "share", .low = 0, .high = 1.04, .ticks = round_ticks(0, 1, 6)};
  plot.series = {std::move(weight), std::move(probability)};
  if (corollary.first_error) plot.lines.push_back({*corollary.first_error, "first error"});
  for (const FormatLimit& limit : corollary.limits) {
    if (limit.items) plot.lines.push_back({*limit.items, std::string(limit.format.name)});
  }
  std::ranges::sort(plot.lines, {}, &ReferenceLine::value);
  figure.plots.push_back(std::move(plot));
  figure.tables.push_back(limits_table(corollary));
  figure.sentence = corollary_sentence(corollary);
  return figure;
}

}  // namespace dispersion

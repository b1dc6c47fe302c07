#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "core/experiment/bounds.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// Smaller weights are not shown: the lower bounds fall so far that nothing else would be readable.
constexpr double kSmallestShown = 1e-40;
// How far above the rounding of differences a slope has to be so that they can confirm it.
constexpr double kVisibleOverRounding = 100;

// A quantity of the rows as a curve. Weights outside [kSmallestShown, largest_shown] are left out.
struct Curve {
  const char* name;
  ColourRole role;
  LineStyle line;
  std::function<double(const BoundsRow&)> value;
  double largest_shown = std::numeric_limits<double>::infinity();

  bool shows(double weight) const { return weight >= kSmallestShown && weight <= largest_shown; }
};

// "32 sets": a setting.
Statement sets_text(int sets) {
  return Statement::naming(counted_text(sets, "set"));
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

// The names of the curves all of whose points lie outside the plot in this way.
template <class Outside>
Statement names_of(std::span<const CurvePoints> curves, std::string_view what, Outside outside) {
  Statement names;
  for (const CurvePoints& curve : curves) {
    if (!curve.shown.x.empty() || !std::ranges::all_of(curve.unseen.y, outside)) continue;
    if (!names.empty()) names += ", ";
    names += Statement::fact(
        curve.unseen.name, {{.what = what, .of = curve.unseen.name, .relation = Relation::kHolds}});
  }
  return names;
}

// The names of the curves of which no point is shown, with the reason: "below 10⁻⁴⁰: NAME, NAME;
// above 1: NAME".
Statement unseen_text(std::span<const CurvePoints> curves) {
  Statement low =
      names_of(curves, "curve below 1e-40", [](double weight) { return weight < kSmallestShown; });
  Statement high = names_of(curves, "curve above 1", [](double weight) { return weight > 1; });
  if (!low.empty()) low = "below 10⁻⁴⁰: " + low;
  if (!high.empty()) high = "above 1: " + high;
  return low + (low.empty() || high.empty() ? Statement() : Statement("; ")) + high;
}

Statement items_text(const BoundsRow& row) {
  return " at n = " + Statement::naming(grouped_text(row.items));
}

Statement number_at(std::string_view what, const BoundsRow& row, double value) {
  return Statement::number({.what = what,
                            .at = {static_cast<double>(row.items)},
                            .value = value,
                            .shown = magnitude_text(value)});
}

Statement number(std::string_view what, double value, std::string shown) {
  return Statement::number({.what = what, .value = value, .shown = std::move(shown)});
}

int count_sets(std::span<const BoundsRow> rows, int BoundsRow::*part) {
  int count = 0;
  for (const BoundsRow& row : rows)
    count += row.*part;
  return count;
}

Statement weights_sentence(std::span<const BoundsRow> rows) {
  const BoundsRow& first = rows.front();
  const BoundsRow& last = rows.back();
  const auto mean = [](const BoundsRow& row) {
    return number_at("mean largest weight", row, row.mean_largest_weight) + items_text(row);
  };
  const double delta = std::ranges::max(rows, {}, &BoundsRow::delta).delta;
  return (rows.size() == 1
              ? "The mean largest weight is " + mean(first)
              : "The mean largest weight goes from " + mean(first) + " to " + mean(last)) +
         ", and the largest logit spread δ of a set is " +
         number("largest logit spread", delta, magnitude_text(delta)) + ".";
}

Statement within_sentence(std::span<const BoundsRow> rows) {
  const int sets = count_sets(rows, &BoundsRow::sets);
  const int outside = count_sets(rows, &BoundsRow::violations);
  const Statement all = count_of("sets measured", sets);
  if (outside > 0) {
    return count_of("sets outside their bounds", outside) + " of " + all +
           " sets have a weight outside the bounds for their own δ.";
  }
  return (sets == 1 ? Statement("In the set") : "In all " + all + " sets") +
         Statement::fact(" every weight lies within the bounds for the set's own δ.",
                         "all weights within their bounds");
}

// What the upper bounds for the largest spread of every size exclude.
Statement upper_sentence(std::span<const BoundsRow> rows) {
  const auto excludes =
      std::ranges::count_if(rows, [](const BoundsRow& row) { return row.bounds.upper < 1; });
  Statement text = "The lemma's upper bound exp(δ/θ)/n ";
  if (excludes == 0) {
    text += Statement::fact("is nowhere below 1 here and excludes nothing",
                            "sizes where the lemma excludes nothing");
  } else {
    text += "is below 1 at " + count_of("sizes where the lemma excludes weights", excludes) +
            " of " + count_of("sizes measured", std::ssize(rows)) + " sizes";
  }
  return text + "; its sharp form is " +
         number_at("sharp upper bound", rows.back(), rows.back().bounds.sharp_upper) +
         items_text(rows.back()) + ".";
}

}  // namespace

Statement bounds_sentence(std::span<const BoundsRow> rows) {
  if (rows.empty()) return {};
  return weights_sentence(rows) + " " + within_sentence(rows) + " " + upper_sentence(rows);
}

Statement slope_sentence(std::span<const EntropySlope> slopes, int items) {
  if (slopes.empty()) return {};
  const auto at = [items](double value, std::string_view what) {
    return Statement::number({.what = what,
                              .at = {static_cast<double>(items)},
                              .relation = Relation::kAtMost,
                              .value = value,
                              .shown = magnitude_text_up(value)});
  };
  const Statement begin = "At n = " + Statement::naming(grouped_text(items)) + ", ";
  const double largest = largest_slope(slopes);
  if (largest <= kVisibleOverRounding * slope_rounding(slopes)) {
    return begin + "β Var(e) is at most " + at(largest, "largest |β Var(e)|") +
           Statement::fact(", too little for differences of H in double to confirm dH/dβ.",
                           "slopes within a hundred roundings of their differences",
                           {static_cast<double>(items)});
  }
  return begin + "differences of H are off dH/dβ = −β Var(e) by at most " +
         at(largest_slope_error(slopes), "largest error of the slopes") + " of its largest value.";
}

Figure bounds_figure(std::span<const BoundsRow> rows, double theta) {
  Figure figure;
  figure.name = "bounds";
  figure.title = "Attention weights and their bounds";
  LinePlot plot;
  plot.title = "Attention weights and their bounds";
  if (rows.empty()) {
    plot.x = size_axis(16, 16384);
    plot.y = decade_axis("attention weight", 0, 0);
    figure.plots.push_back(std::move(plot));
    return figure;
  }
  if (count_sets(rows, &BoundsRow::violations) == 0) {
    figure.title =
        Statement::fact("No weight leaves its bounds", "all weights within their bounds");
  }
  plot.subtitle = sets_text(rows.front().sets) +
                  " of every size, θ = " + Statement::naming(exact_text(theta)) +
                  ", bounds for the largest logit spread δ of the sets";
  std::vector<CurvePoints> curves;
  for (const Curve& curve : weight_curves())
    curves.push_back(points_of(curve, rows));
  const Statement unseen = unseen_text(curves);
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
  plot.title = "Slope of the entropy";
  plot.subtitle =
      "dH/dβ, mean over " + sets_text(sets) + " of n = " + Statement::naming(grouped_text(items));
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

}  // namespace dispersion

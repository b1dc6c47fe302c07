#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/experiment/corollary.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr double kVisibleLoss = 1e-3;  // share of a's weight that is lost where the plot begins
// For larger d the logarithm of n, as a double, is too coarse to give a weight of a.
constexpr double kLargestKnownD = 1e12;
// Smaller weights of a are not given, since doubles end there.
constexpr double kSmallestWeight = 1e-300;

Statement whole(std::string_view what, int value) {
  return Statement::number(
      {.what = what, .value = static_cast<double>(value), .shown = std::to_string(value)});
}

// What is claimed of a count: itself, or its logarithm to base 10 where no double holds it.
struct CountClaim {
  std::string_view what;
  std::string_view what_log10;
};
constexpr CountClaim kFirstError = {"first n with an error", "log10 of the first n with an error"};
constexpr CountClaim kBelowRoundoff = {"first n below the unit roundoff",
                                       "log10 of the first n below the unit roundoff"};

// "n = 42", "n = 3.4·10⁴⁵", "n = 10^302.6".
Statement count_statement(const CountClaim& claim, std::string_view of, const ItemCount& count) {
  if (count.items) {
    return "n = " + Statement::number({.what = claim.what,
                                       .of = std::string(of),
                                       .value = *count.items,
                                       .shown = count_text(*count.items)});
  }
  const double log10 = count.log10();
  return "n = 10^" + Statement::number({.what = claim.what_log10,
                                        .of = std::string(of),
                                        .value = log10,
                                        .shown = log10_text(log10)});
}

Statement pair_text(const CorollaryPair& pair) {
  return "{a, b, b, …} with ρ = " +
         Statement::naming(exact_text(pair.priority_a) + " and " + exact_text(pair.priority_b)) +
         ", classes " + Statement::naming(std::to_string(pair.class_a)) + " and " +
         Statement::naming(std::to_string(pair.class_b)) + " and query " +
         Statement::naming(exact_text(pair.query));
}

Statement no_error_sentence(const Corollary& c) {
  if (c.search_complete) {
    return Statement::fact("This head never errs on ", "no error for any n") + pair_text(c.pair) +
           Statement::fact(
               ": it gives {b, …, b} the class of a as well, and all mixtures of a and b.",
               "class of a for all mixtures");
  }
  return Statement::fact("A search found no error of this head on ", "no error for many n") +
         pair_text(c.pair) + "; that there is none is not proved.";
}

Statement error_sentence(const Corollary& c) {
  const ItemCount& error = *c.first_error;
  Statement text = "On " + pair_text(c.pair) +
                   (c.search_complete ? Statement(" this head first errs at ")
                                      : Statement(" a search found the first error at ")) +
                   count_statement(kFirstError, "", error);
  if (c.weight_there < kSmallestWeight) {
    text += ", where a's weight is below " +
            Statement::number({.what = "weight of a at the first error",
                               .relation = Relation::kAtMost,
                               .value = c.weight_there,
                               .shown = exponent_text(-300)});
  } else if (std::abs(c.d) < kLargestKnownD) {
    text += ", where a has weight " + Statement::number({.what = "weight of a at the first error",
                                                         .value = c.weight_there,
                                                         .shown = magnitude_text(c.weight_there)});
  }
  return text + "; {b, …, b} gets class " + whole("class of {b, ..., b}", c.predicted_of_b) + ".";
}

Statement roundoff_sentence(const FormatLimit& limit) {
  const std::string name(limit.format.name);
  return " The weight of a falls below the unit roundoff of " + Statement::naming(name) + " at " +
         count_statement(kBelowRoundoff, name, limit.first) + ".";
}

Statement corollary_sentence(const Corollary& c) {
  if (c.predicted_of_a != c.pair.class_a) {
    return "This head gives {a} itself class " + whole("class of {a}", c.predicted_of_a) +
           ", not that of a, so " + pair_text(c.pair) + " shows nothing about dispersion.";
  }
  return (c.first_error ? error_sentence(c) : no_error_sentence(c)) +
         roundoff_sentence(c.limits.front());
}

TableCell count_cell(const ItemCount& count, bool strong) {
  return {.text = count.items ? magnitude_text(*count.items) : "10^" + log10_text(count.log10()),
          .strong = strong,
          .muted = !strong,
          .value = count.items.value_or(std::numeric_limits<double>::quiet_NaN())};
}

Table limits_table(const Corollary& corollary) {
  Table table;
  table.title = "Where a's weight falls below ε";
  table.subtitle = "in {a, b, b, …}; ε: unit roundoff, half the gap above 1; d = (e_a − e_b)/θ";
  table.headings = {"format", "ε", "first n", "exp(|d|)/ε"};
  for (const FormatLimit& limit : corollary.limits) {
    table.rows.push_back(
        {{.text = std::string(limit.format.name)},
         {.text = magnitude_text(limit.format.epsilon), .value = limit.format.epsilon},
         count_cell(limit.first, true),
         count_cell(limit.of_proof, false)});
  }
  return table;
}

// A vertical line where the plot has the count; otherwise its name goes to those left out.
void add_line(LinePlot& plot, const std::optional<ItemCount>& count, const std::string& name,
              Statement& beyond) {
  if (!count) return;
  if (count->items) {
    plot.lines.push_back({*count->items, name});
    return;
  }
  if (!beyond.empty()) beyond += ", ";
  beyond +=
      Statement::fact(name, {{.what = "beyond 1e300", .of = name, .relation = Relation::kHolds}});
}

// Where the plot begins: a has lost a thousandth of its weight there. Before that both curves are
// flat, often over forty decades.
double plot_begin(const Corollary& corollary, double last) {
  const bool falls_later = !corollary.limits.front().first.items && !corollary.first_error;
  const double begin = std::exp(corollary.d) * kVisibleLoss;
  if (falls_later || begin >= last) return 1;
  double most = last;
  if (corollary.first_error) most = corollary.first_error->items.value_or(last);
  return std::clamp(begin, 1.0, most);
}

}  // namespace

Figure corollary_figure(const Corollary& corollary) {
  Figure figure;
  figure.name = "corollary";
  figure.title = "One a among n − 1 b's";
  LinePlot plot;
  plot.title = "Weight of a and confidence in its class";
  Series weight = line_series("weight of a", ColourRole::kBaseline);
  Series probability = line_series("probability of a's class", ColourRole::kNeutral);
  for (const CorollaryPoint& point : corollary.curve) {
    weight.x.push_back(point.items);
    weight.y.push_back(point.weight);
    probability.x.push_back(point.items);
    probability.y.push_back(point.probability_a);
  }
  const double last = corollary.curve.empty() ? 10 : corollary.curve.back().items;
  plot.x = decade_axis(std::string(kItemsLabel), plot_begin(corollary, last), last);
  plot.y = {.label = "share", .low = 0, .high = 1.04, .ticks = round_ticks(0, 1, 6)};
  plot.series = {std::move(weight), std::move(probability)};
  Statement beyond;
  add_line(plot, corollary.first_error, "first error", beyond);
  for (const FormatLimit& limit : corollary.limits)
    add_line(plot, limit.first, std::string(limit.format.name), beyond);
  std::ranges::sort(plot.lines, {}, &ReferenceLine::value);
  plot.subtitle = "(e_a − e_b)/θ = " +
                  Statement::number({.what = "logit difference of a and b over theta",
                                     .value = corollary.d,
                                     .shown = significant_text(corollary.d, 4)}) +
                  ", closed form in double";
  if (!beyond.empty()) plot.subtitle += "; beyond 10³⁰⁰: " + beyond;
  figure.plots.push_back(std::move(plot));
  figure.tables.push_back(limits_table(corollary));
  figure.sentence = corollary_sentence(corollary);
  return figure;
}

}  // namespace dispersion

#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/paper_table.h"
#include "core/experiment/precision_comparison.h"
#include "core/figure/accuracy_axis.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

struct Curve {
  Precision precision;
  const char* name;
  ColourRole role;
  LineStyle line;
  Mark mark;
};
constexpr std::array<Curve, 5> kCurves = {
    {{Precision::kFloat, "fp32", ColourRole::kBaseline, LineStyle::kSolid, Mark::kDisc},
     {Precision::kBf16Priorities, "bf16 priorities", ColourRole::kFourth, LineStyle::kDashed,
      Mark::kTriangle},
     {Precision::kFp16Priorities, "fp16 priorities", ColourRole::kFifth, LineStyle::kDashed,
      Mark::kCross},
     {Precision::kBf16, "bf16", ColourRole::kAdaptive, LineStyle::kSolid, Mark::kSquare},
     {Precision::kFp16, "fp16", ColourRole::kThird, LineStyle::kSolid, Mark::kDiamond}}};
std::string name_of(Precision precision) {
  return std::ranges::find(kCurves, precision, &Curve::precision)->name;
}

constexpr const char* kPerfectName = "perfect argmax, bf16 priorities";

using Rows = std::span<const PrecisionRow>;
using Value = std::function<double(const PrecisionRow&)>;

std::string percent(double share) {
  return fixed_text(100 * share, 1);
}

// A share of the sets of one size, in percent.
Statement share_of(std::string_view what, std::string_view of, int items, double share,
                   int decimals = 1) {
  return Statement::number({.what = what,
                            .of = std::string(of),
                            .at = {static_cast<double>(items)},
                            .value = 100 * share,
                            .shown = fixed_text(100 * share, decimals)});
}

const PrecisionRow* find(Rows rows, Precision precision, int items) {
  const auto found = std::ranges::find_if(rows, [&](const PrecisionRow& row) {
    return row.precision == precision && row.measured.items == items;
  });
  return found == rows.end() ? nullptr : &*found;
}

// The sizes of the rows, in their order and without repetitions.
std::vector<int> sizes_of(Rows rows) {
  std::vector<int> sizes;
  for (const PrecisionRow& row : rows) {
    if (sizes.empty() || sizes.back() != row.measured.items) sizes.push_back(row.measured.items);
  }
  return sizes;
}

std::vector<Curve> curves_of(Rows rows) {
  std::vector<Curve> curves;
  for (const Curve& curve : kCurves) {
    if (std::ranges::find(rows, curve.precision, &PrecisionRow::precision) != rows.end())
      curves.push_back(curve);
  }
  return curves;
}

// The row whose accuracy of a perfect argmax on bf16 priorities is shown; both have the same one.
const PrecisionRow* perfect_row(Rows rows, int items) {
  const PrecisionRow* row = find(rows, Precision::kBf16Priorities, items);
  return row != nullptr ? row : find(rows, Precision::kBf16, items);
}

Statement sets_text(Rows rows) {
  if (rows.empty()) return "no sets yet";
  const auto [fewest, most] =
      std::ranges::minmax(rows, {}, [](const PrecisionRow& row) { return row.measured.sets; });
  return sets_of_sizes(fewest.measured.sets, most.measured.sets) + " of every n";
}

LinePlot plot_of(Rows rows, Statement title, Statement subtitle, const Value& value) {
  LinePlot plot;
  plot.title = std::move(title);
  plot.subtitle = std::move(subtitle);
  plot.x = rows.empty()
               ? size_axis(16, 16384)
               : size_axis(std::ranges::min(sizes_of(rows)), std::ranges::max(sizes_of(rows)));
  for (const Curve& curve : curves_of(rows)) {
    Series series;
    series.name = curve.name;
    series.role = curve.role;
    series.line = curve.line;
    series.mark = curve.mark;
    for (const PrecisionRow& row : rows) {
      if (row.precision != curve.precision) continue;
      series.x.push_back(row.measured.items);
      series.y.push_back(value(row));
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

LinePlot accuracy_plot(Rows rows, const Statement& sets) {
  LinePlot plot = plot_of(rows, "Accuracy by precision", "% against n, the same " + sets,
                          [](const PrecisionRow& row) { return 100 * row.measured.accuracy(); });
  use_accuracy_axis(plot);
  Series paper;
  paper.name = "paper, table 1";
  paper.role = ColourRole::kReference;
  paper.line = LineStyle::kNone;
  paper.mark = Mark::kRing;
  Series perfect;
  perfect.name = kPerfectName;
  perfect.role = ColourRole::kNeutral;
  perfect.line = LineStyle::kDashed;
  perfect.markers = false;
  for (const int items : sizes_of(rows)) {
    if (const PaperColumn* column = paper_column(items)) {
      paper.x.push_back(items);
      paper.y.push_back(100 * column->plain);
    }
    if (const PrecisionRow* row = perfect_row(rows, items)) {
      perfect.x.push_back(items);
      perfect.y.push_back(100 * row->perfect_accuracy);
    }
  }
  for (Series* series : {&paper, &perfect}) {
    if (!series->x.empty()) plot.series.push_back(std::move(*series));
  }
  return plot;
}

LinePlot argmax_plot(Rows rows, const Statement& sets) {
  LinePlot plot = plot_of(rows, "Largest logit on the maximum", "% of the " + sets,
                          [](const auto& row) { return 100 * row.measured.argmax_accuracy(); });
  plot.y = {.label = "sets (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  return plot;
}

LinePlot entropy_plot(Rows rows, const Statement& sets) {
  LinePlot plot = plot_of(rows, "Entropy of attention", "nats, mean over " + sets,
                          [](const auto& row) { return row.measured.mean_entropy(); });
  double top = 1;
  for (const PrecisionRow& row : rows)
    top = std::max(top, row.measured.mean_entropy());
  plot.y = {.label = "entropy H (nats)", .low = 0, .high = std::ceil(top * 1.02), .ticks = {}};
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  return plot;
}

TableCell share_cell(const double* share, bool muted = false) {
  if (share == nullptr) return missing_cell();
  return {.text = percent(*share), .muted = muted, .value = 100 * *share};
}

// How far the ends of Wilson's intervals are from the shares of the rows, at most; a share of 1.
double interval_reach(Rows rows) {
  double reach = 0;
  for (const PrecisionRow& row : rows) {
    const Interval interval = wilson_interval(row.measured.correct, row.measured.sets);
    const double share = row.measured.accuracy();
    reach = std::max({reach, share - interval.low, interval.high - share});
  }
  return reach;
}

Table accuracy_table(Rows rows, const Statement& sets) {
  Table table;
  table.title = "Accuracy (%)";
  table.subtitle = "plain softmax at θ = 1, " + sets;
  table.headings = {"n"};
  const std::vector<Curve> curves = curves_of(rows);
  for (const Curve& curve : curves)
    table.headings.emplace_back(curve.name);
  table.headings.emplace_back("perfect, bf16");
  table.headings.emplace_back("paper");
  for (const int items : sizes_of(rows)) {
    std::vector<TableCell> cells = {
        {.text = grouped_text(items), .value = static_cast<double>(items)}};
    for (const Curve& curve : curves) {
      const PrecisionRow* row = find(rows, curve.precision, items);
      const double share = row != nullptr ? row->measured.accuracy() : 0;
      cells.push_back(share_cell(row != nullptr ? &share : nullptr));
    }
    const PrecisionRow* perfect = perfect_row(rows, items);
    cells.push_back(share_cell(perfect != nullptr ? &perfect->perfect_accuracy : nullptr, true));
    const PaperColumn* paper = paper_column(items);
    cells.push_back(share_cell(paper != nullptr ? &paper->plain : nullptr));
    cells.back().role = ColourRole::kReference;
    table.rows.push_back(std::move(cells));
  }
  if (rows.empty()) return table;
  const double reach = 100 * interval_reach(rows);
  table.notes = {
      "perfect, bf16: takes an item with the largest bf16 priority, at random among those that "
      "tie, and answers its class; softmax weighs them all and can be better.",
      "The ends of Wilson's 95 % intervals lie at most " +
          Statement::number({.what = "distance of an interval's end from its share (points)",
                             .relation = Relation::kAtMost,
                             .value = reach,
                             .shown = at_most_text(reach, 1)}) +
          " points from the measured shares."};
  return table;
}

// So many decimals that the texts of two different percentages differ, from 1 to 6.
int telling_decimals(double a, double b) {
  int decimals = 1;
  while (decimals < 6 && a != b && fixed_text(a, decimals) == fixed_text(b, decimals))
    ++decimals;
  return decimals;
}

// Compares the accuracy of a perfect argmax, a closed form, with the interval of the measured one.
Statement perfect_sentence(const PrecisionRow& row) {
  const int items = row.measured.items;
  const std::string of = name_of(row.precision);
  const Interval interval = wilson_interval(row.measured.correct, row.measured.sets);
  const double perfect = row.perfect_accuracy;
  const bool inside = perfect >= interval.low && perfect <= interval.high;
  const double end = perfect < interval.low ? interval.low : interval.high;
  const int decimals = inside ? 1 : telling_decimals(100 * perfect, 100 * end);
  return " A perfect argmax on priorities rounded to bf16, which takes one of the largest at "
         "random, is right on " +
         share_of("accuracy of a perfect argmax (%)", of, items, perfect, decimals) + " %, " +
         Statement::fact(inside ? "inside" : "outside",
                         {{.what = inside ? "perfect argmax inside the interval"
                                          : "perfect argmax outside the interval",
                           .of = of,
                           .at = {static_cast<double>(items)},
                           .relation = Relation::kHolds}}) +
         " the 95 % interval of this head's " +
         share_of("accuracy (%)", of, items, row.measured.accuracy()) + " % with " +
         Statement::naming(of) + " on " +
         counted("sets evaluated", row.measured.sets, "set", {static_cast<double>(items)}) + ", " +
         share_of("low end of the interval (%)", of, items, interval.low, decimals) + " to " +
         share_of("high end of the interval (%)", of, items, interval.high, decimals) + " %.";
}

Statement sentence(Rows rows) {
  const int items = sizes_of(rows).back();
  Statement text = "At n = " + Statement::naming(grouped_text(items)) +
                   " this head answers right on this share of sets:";
  Statement between = " ";
  for (const Curve& curve : curves_of(rows)) {
    const PrecisionRow* row = find(rows, curve.precision, items);
    if (row == nullptr) continue;
    text += between + share_of("accuracy (%)", curve.name, items, row->measured.accuracy()) +
            " % with " + Statement::naming(curve.name);
    between = ", ";
  }
  if (const PaperColumn* paper = paper_column(items)) {
    text += "; the paper's ten heads have " +
            share_of("the paper's accuracy (%)", "", items, paper->plain) + " %";
  }
  text += ".";
  if (const PrecisionRow* perfect = perfect_row(rows, items)) text += perfect_sentence(*perfect);
  return text;
}

}  // namespace

Figure precision_figure(std::span<const PrecisionRow> rows) {
  Figure figure;
  figure.name = "precision";
  figure.title = "What rounding does to this head";
  const Statement sets = sets_text(rows);
  figure.plots = {accuracy_plot(rows, sets), argmax_plot(rows, sets), entropy_plot(rows, sets)};
  if (rows.empty()) return figure;
  figure.tables = {accuracy_table(rows, sets)};
  figure.sentence = sentence(rows);
  return figure;
}

}  // namespace dispersion

#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "core/experiment/attention_length.h"
#include "core/experiment/streaming.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

struct Curve {
  const char* name;
  ColourRole role;
  LineStyle line;
  double StreamingRow::*value;
  Mark mark = Mark::kDisc;
};
constexpr std::array<Curve, 5> kCurves = {{
    {"blocks, double", ColourRole::kBaseline, LineStyle::kSolid, &StreamingRow::blocks_double},
    {"blocks, float", ColourRole::kAdaptive, LineStyle::kSolid, &StreamingRow::blocks_float},
    {"not centred, float", ColourRole::kNeutral, LineStyle::kSolid, &StreamingRow::uncentred_float},
    {"printed maximum", ColourRole::kThird, LineStyle::kDashed, &StreamingRow::with_maximum_slip,
     Mark::kDiamond},
    {"printed sign", ColourRole::kReference, LineStyle::kSolid, &StreamingRow::with_sign_slip},
}};

double error(const StreamingRow& row, double value) {
  return std::abs(value - row.exact);
}

// The largest error of the rows; not finite where one of them is not.
double largest_error(std::span<const StreamingRow> rows, double StreamingRow::*value) {
  double largest = 0;
  for (const StreamingRow& row : rows) {
    const double each = error(row, row.*value);
    if (!(each <= largest)) largest = each;
  }
  return largest;
}

// "is off by at most 3.2·10⁻¹⁴ nats in double", where `words` begin that.
Statement block_error(std::span<const StreamingRow> rows, double StreamingRow::*value,
                      Statement words, const char* numbers) {
  const double largest = largest_error(rows, value);
  if (!std::isfinite(largest)) {
    return Statement::fact(std::string("is not finite in ") + numbers,
                           {{.what = "streamed entropy that is not finite",
                             .of = numbers,
                             .relation = Relation::kHolds}});
  }
  return words +
         Statement::number({.what = "largest error of the entropy in blocks (nats)",
                            .of = numbers,
                            .relation = Relation::kAtMost,
                            .value = largest,
                            .shown = magnitude_text_up(largest)}) +
         " nats in " + Statement::naming(numbers);
}

// What a slip of the appendix makes of the entropy of a row: "the sign gives −2.000 instead of
// 2.000", or that it does nothing, as the sign where the entropy is 0, and the running maximum
// where the first item is the largest.
Statement slip_text(const StreamingRow& row, double StreamingRow::*value, const char* slip) {
  constexpr int kDecimals = 3;
  const std::vector<double> at = {static_cast<double>(row.items)};
  const auto fact = [&](std::string words, std::string_view what) {
    return Statement::fact(std::move(words),
                           {{.what = what, .of = slip, .at = at, .relation = Relation::kHolds}});
  };
  const std::string right = fixed_text(row.exact, kDecimals);
  const std::string printed = fixed_text(row.*value, kDecimals);
  const Statement entropy =
      Statement::number({.what = "entropy (nats)", .at = at, .value = row.exact, .shown = right});
  const Statement name = Statement::naming(slip);
  if (!std::isfinite(row.*value))
    return name + fact(" gives no finite number", "entropy as printed is not finite");
  if (right == printed)
    return name + fact(" changes no digit of ", "entropy as printed is the same") + entropy;
  return name + " gives " +
         Statement::number({.what = "entropy as printed (nats)",
                            .of = slip,
                            .at = at,
                            .value = row.*value,
                            .shown = printed}) +
         " instead of " + entropy;
}

Statement sentence(std::span<const StreamingRow> rows) {
  const StreamingRow& longest = *std::ranges::max_element(rows, {}, &StreamingRow::items);
  const Statement n = Statement::naming(grouped_text(longest.items));
  const Statement where = rows.size() == 1 ? "At n = " + n
                                           : "In " + count_of("sizes streamed", std::ssize(rows)) +
                                                 " sizes up to n = " + n;
  return where + " the entropy streamed in blocks " +
         block_error(rows, &StreamingRow::blocks_double, "is off by at most ", "double") + " and " +
         block_error(rows, &StreamingRow::blocks_float, "by at most ", "float") +
         ". As the appendix prints it, at that n " +
         slip_text(longest, &StreamingRow::with_sign_slip, "the sign") + ", and " +
         slip_text(longest, &StreamingRow::with_maximum_slip, "the running maximum") + ".";
}

// The points of a curve that are not finite, which the plot leaves out.
Statement missing_text(std::span<const StreamingRow> rows, const Curve& curve) {
  const auto missing = std::ranges::count_if(
      rows, [&](const StreamingRow& row) { return !std::isfinite(error(row, row.*curve.value)); });
  if (missing == 0) return {};
  Claim claim = count_claim("values that are not finite", missing);
  claim.of = curve.name;
  return "; " + Statement::number(std::move(claim)) + " of " + Statement::naming(curve.name) +
         " not finite";
}

}  // namespace

Figure streaming_figure(std::span<const StreamingRow> rows) {
  Figure figure;
  figure.name = "streaming";
  figure.title = "Entropy while the logits stream by";
  LinePlot plot;
  plot.title = "Error of the streamed entropy";
  plot.subtitle = "nats, against the exact entropy";
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const Curve& curve : kCurves) {
    plot.subtitle += missing_text(rows, curve);
    Series series;
    series.name = curve.name;
    series.role = curve.role;
    series.line = curve.line;
    series.mark = curve.mark;
    for (const StreamingRow& row : rows) {
      const double difference = error(row, row.*curve.value);
      if (!std::isfinite(difference)) continue;
      series.x.push_back(row.items);
      series.y.push_back(difference);
      if (difference == 0) continue;  // the logarithmic axis cannot show it
      smallest = std::min(smallest, difference);
      largest = std::max(largest, difference);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  plot.y = decade_axis("error (nats)", smallest, largest);
  plot.x = rows.empty() ? size_axis(16, 131072)
                        : size_axis(std::ranges::min(rows, {}, &StreamingRow::items).items,
                                    std::ranges::max(rows, {}, &StreamingRow::items).items);
  figure.plots.push_back(std::move(plot));
  if (!rows.empty()) figure.sentence = sentence(rows);
  return figure;
}

namespace {

using Value = std::function<double(const AttentionLength&)>;

double milliseconds(const AttentionLength& row) {
  return 1e3 * row.seconds;
}
double megabytes(const AttentionLength& row) {
  return 1e-6 * static_cast<double>(row.bytes);
}
double matrix_megabytes(const AttentionLength& row) {
  return 1e-6 * static_cast<double>(row.matrix_bytes);
}

// The lengths, or those of the default without rows.
std::vector<int> lengths_of(std::span<const AttentionLength> rows) {
  if (rows.empty()) return {256, 4096};
  std::vector<int> lengths;
  for (const AttentionLength& row : rows)
    lengths.push_back(row.n);
  return lengths;
}

Series curve(std::span<const AttentionLength> rows, std::string name, ColourRole role,
             const Value& value) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  if (role == ColourRole::kReference) series.line = LineStyle::kDashed;
  for (const AttentionLength& row : rows) {
    series.x.push_back(row.n);
    series.y.push_back(value(row));
  }
  return series;
}

LinePlot plot(std::span<const AttentionLength> rows, Statement title, Statement subtitle,
              std::vector<Series> series) {
  LinePlot plot;
  plot.title = std::move(title);
  plot.subtitle = std::move(subtitle);
  plot.series = std::move(series);
  const auto [shortest, longest] = std::ranges::minmax(lengths_of(rows));
  plot.x = size_axis(shortest, longest);
  return plot;
}

Axis value_axis(std::string label, const std::vector<Series>& series) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const Series& one : series) {
    for (const double y : one.y) {
      smallest = std::min(smallest, y);
      largest = std::max(largest, y);
    }
  }
  return decade_axis(std::move(label), smallest, largest);
}

bool timed(std::span<const AttentionLength> rows) {
  return rows.empty() || rows.back().seconds > 0;
}

bool adaptive(std::span<const AttentionLength> rows) {
  return rows.empty() || rows.back().adaptive;
}

// ", proportional to n" where the memory of all rows is.
Statement growth_text(std::span<const AttentionLength> rows) {
  const bool proportional = std::ranges::all_of(rows, [&](const AttentionLength& row) {
    return row.bytes * static_cast<std::size_t>(rows.front().n) ==
           rows.front().bytes * static_cast<std::size_t>(row.n);
  });
  if (rows.empty() || !proportional) return {};
  return Statement::fact(", proportional to n", "memory proportional to n");
}

// A number of the longest sequence.
Statement measured(const AttentionLength& row, std::string_view what, double value,
                   std::string shown) {
  return Statement::number({.what = what,
                            .at = {static_cast<double>(row.n)},
                            .value = value,
                            .shown = std::move(shown)});
}

// How far the checked rows are off, and how many they are of how many.
Statement error_text(const AttentionLength& row) {
  const std::vector<double> at = {static_cast<double>(row.n)};
  const Statement checked = row.rows == 1 ? Statement("its one row")
                            : row.checked_rows == row.rows
                                ? Statement("all its rows")
                                : "the " + count_of("checked rows", row.checked_rows, at) +
                                      " of its " + count_of("rows", row.rows, at) +
                                      " rows that were checked";
  if (!std::isfinite(row.out_error)) {
    return "; in " + checked +
           Statement::fact(" its output is not finite", "output that is not finite");
  }
  return "; in " + checked + " its output is off by at most " +
         Statement::number({.what = "largest error of the output",
                            .at = at,
                            .relation = Relation::kAtMost,
                            .value = row.out_error,
                            .shown = magnitude_text_up(row.out_error)});
}

}  // namespace

std::vector<LinePlot> attention_length_plots(std::span<const AttentionLength> rows,
                                             const std::string& where) {
  const char* name = adaptive(rows) ? "two passes" : "softmax";
  LinePlot time = plot(rows, "Time of attention",
                       (adaptive(rows) ? Statement("ms, two passes over the keys of n queries, ")
                                       : Statement("ms, softmax over the keys of n queries, ")) +
                           Statement::naming(where),
                       {curve(rows, name, ColourRole::kAdaptive, milliseconds)});
  time.y = value_axis("time (ms)", time.series);
  LinePlot memory = plot(rows, "Memory of attention", "MB, all arrays together" + growth_text(rows),
                         {curve(rows, name, ColourRole::kAdaptive, megabytes),
                          curve(rows, "n × n weights", ColourRole::kReference, matrix_megabytes)});
  memory.y = value_axis("memory (MB)", memory.series);
  LinePlot entropy =
      plot(rows, "Entropy of a sequence's rows", "nats, mean over the queries, before sharpening",
           {curve(rows, "entropy", ColourRole::kBaseline,
                  [](const AttentionLength& row) { return row.entropy; }),
            curve(rows, "log n", ColourRole::kReference,
                  [](const AttentionLength& row) { return std::log(row.n); })});
  entropy.y.label = "entropy H (nats)";
  if (!rows.empty()) entropy.y.high = std::ceil(std::log(std::ranges::max(lengths_of(rows))) + 0.5);
  entropy.y.ticks = round_ticks(entropy.y.low, entropy.y.high);
  if (!timed(rows)) return {std::move(memory), std::move(entropy)};
  return {std::move(time), std::move(memory), std::move(entropy)};
}

Statement attention_length_sentence(std::span<const AttentionLength> rows) {
  if (rows.empty()) return {};
  const AttentionLength& last = *std::ranges::max_element(rows, {}, &AttentionLength::n);
  const Statement keys = Statement::naming(counted_text(last.n, "key"));
  Statement text = last.adaptive ? "Adaptive attention, in two passes over " + keys + ", "
                                 : "Softmax attention over " + keys + " ";
  if (timed(rows)) {
    text +=
        "took " +
        measured(last, "time (ms)", milliseconds(last), significant_text(milliseconds(last), 2)) +
        " ms and ";
  }
  // Those of many heads are not in memory all at once.
  return text + "has arrays of " +
         measured(last, "memory (MB)", megabytes(last), significant_text(megabytes(last), 2)) +
         " MB, where the weights alone would need " +
         measured(last, "memory of all weights (MB)", matrix_megabytes(last),
                  significant_text(matrix_megabytes(last), 2)) +
         " MB" + error_text(last) + ".";
}

}  // namespace dispersion
